package dev.berth.controller.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import java.util.List;
import java.util.Optional;

/// What the controllers of workloads do: they make, change and delete objects.
public sealed interface WorkloadEffect extends Effect {
  /// Makes objects in their order, and stops at the first that cannot be made. One whose name is
  /// taken is looked at again.
  record Make(List<Birth> births) implements WorkloadEffect {
    public Make {
      births = List.copyOf(births);
    }

    @Override
    public Object likeness() {
      return births.getFirst().key();
    }
  }

  /// An object to be made.
  ///
  /// @param made event once it is there; empty: none
  /// @param failed event if it cannot be made, without why; empty: none
  record Birth(
      Resource resource, ObjectNode object, Optional<Notice> made, Optional<Notice> failed) {
    ObjectKey key() {
      var meta = object.path("metadata");
      return ObjectKey.of(meta.path("namespace").asText(), meta.path("name").asText());
    }
  }

  /// Deletes these very objects, with their own grace.
  record Remove(List<Death> deaths) implements WorkloadEffect {
    public Remove {
      deaths = List.copyOf(deaths);
    }

    @Override
    public Object likeness() {
      return deaths.getFirst().object();
    }
  }

  /// An object to be deleted.
  ///
  /// @param gone event once its deletion is accepted; empty: none
  /// @param failed event if it is not, without why; empty: none
  record Death(Ref object, Optional<Notice> gone, Optional<Notice> failed) {}

  /// Changes an object as it was seen.
  ///
  /// @param body what changes in it, as a merge patch; its metadata only beside uid and version
  /// @param told event once it is done; empty: none
  record Change(Resource resource, Revision object, JsonNode body, Part part, Optional<Notice> told)
      implements WorkloadEffect {
    /// One of which nothing is told.
    public Change(Resource resource, Revision object, JsonNode body, Part part) {
      this(resource, object, body, part, Optional.empty());
    }

    /// What is changed, and how lists in it are read.
    public enum Part {
      /// Everything but the status; lists are replaced.
      OBJECT,
      /// Everything but the status; lists are merged by their keys (a strategic merge patch).
      LISTS,
      /// The status.
      STATUS
    }

    @Override
    public Object likeness() {
      return List.of(resource, object.key(), part);
    }
  }

  /// Takes an object that nobody has, if the taker is still there and not on its way out: what a
  /// cache shows of that is not enough.
  record Adopt(Ref taker, Change change) implements WorkloadEffect {
    @Override
    public Object likeness() {
      return change.likeness();
    }
  }
}
