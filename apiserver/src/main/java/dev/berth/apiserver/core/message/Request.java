package dev.berth.apiserver.core.message;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.managed.Ownership.Force;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import java.util.Map;

/// What a client asks, with the transport and its syntax gone. Bodies are never changed after they
/// were handed in. `namespace` is empty for kinds without one, and in a list of all namespaces.
public sealed interface Request {
  Resource resource();

  /// Answered from a state, without a write.
  sealed interface Read extends Request {}

  /// Answered by the writer, in its order.
  sealed interface Write extends Request {}

  /// Gets one object.
  ///
  /// @param resourceVersion empty or `0`: any; otherwise not older than this
  record Get(Resource resource, ObjectKey key, String resourceVersion) implements Read {}

  record List(Resource resource, String namespace, ListOptions options) implements Read {}

  /// What `write` would be answered, of which nothing stays.
  record DryRun(Write write) implements Read {
    @Override
    public Resource resource() {
      return write.resource();
    }
  }

  /// What `write` would make before anybody has checked it: what a webhook may still put right.
  record Sketch(Write write) implements Read {
    @Override
    public Resource resource() {
      return write.resource();
    }
  }

  /// `write`, provided that the object is the one that was seen. If it is not, nothing is done.
  ///
  /// @param seen revision of the object; 0: there was none
  record Guarded(Write write, ObjectKey key, long seen) implements Write {
    @Override
    public Resource resource() {
      return write.resource();
    }
  }

  /// Creates `object`, named by its metadata or their `generateName`.
  ///
  /// @param manager who owns its fields then (API-80); empty: nobody who says a name
  record Create(Resource resource, String namespace, ObjectNode object, String manager)
      implements Write {
    public Create(Resource resource, String namespace, ObjectNode object) {
      this(resource, namespace, object, "");
    }
  }

  /// Replaces the object.
  ///
  /// @param manager who owns what it changes
  record Update(Resource resource, ObjectKey key, Part part, ObjectNode object, String manager)
      implements Write {
    public Update(Resource resource, ObjectKey key, Part part, ObjectNode object) {
      this(resource, key, part, object, "");
    }
  }

  /// Changes parts of the object.
  ///
  /// @param manager who owns what it changes
  /// @param force whether a configuration takes what others own; says nothing of other patches
  record Change(
      Resource resource, ObjectKey key, Part part, Patch patch, String manager, Force force)
      implements Write {
    public Change(Resource resource, ObjectKey key, Part part, Patch patch) {
      this(resource, key, part, patch, "", Force.NO);
    }
  }

  /// What a write would have made, as somebody has changed it since: stored as it is here, with the
  /// `managedFields` that stand in it.
  ///
  /// @param isNew whether there is no such object yet
  record Made(Resource resource, ObjectKey key, Part part, ObjectNode object, boolean isNew)
      implements Write {}

  record Delete(Resource resource, ObjectKey key, DeleteOptions options) implements Write {}

  /// Deletes each object that `which` selects.
  record DeleteAll(Resource resource, String namespace, ListOptions which, DeleteOptions options)
      implements Write {}

  /// Deletes those of a list that were seen, and nothing if one of them is another by now. What has
  /// come since stays.
  ///
  /// @param seen their revisions
  record DeleteSeen(DeleteAll all, Map<ObjectKey, Long> seen) implements Write {
    public DeleteSeen {
      seen = Map.copyOf(seen);
    }

    @Override
    public Resource resource() {
      return all.resource();
    }
  }

  /// Posts to a subresource of the object that creates nothing of its own: `binding`, `eviction`.
  record Post(Resource resource, ObjectKey key, String subresource, ObjectNode body)
      implements Write {}

  /// Which endpoint of an object a write goes to.
  enum Part {
    /// The object without its status.
    MAIN,
    /// `/status`.
    STATUS,
    /// `/scale`: bodies and patches are of a Scale.
    SCALE,
    /// `/finalize` of a namespace.
    FINALIZE
  }
}
