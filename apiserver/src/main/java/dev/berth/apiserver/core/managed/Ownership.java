package dev.berth.apiserver.core.managed;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.managed.Entry.Operation;
import java.time.Instant;
import java.util.List;

/// Works out who owns which fields of an object after a write (API-78 to API-81).
///
/// @param form of the object's kind
/// @param apiVersion in which it is written
/// @param subresource through which; empty: the object itself
/// @param reset fields that this way of writing leaves as they are, and so are nobody's by it
/// @param now in whole seconds
public record Ownership(
    Form form, String apiVersion, String subresource, Reset reset, Instant now) {
  private static final String BEFORE = "before-first-apply";

  /// What nobody owns: the server alone decides it, or it is the object's name.
  static final FieldSet NOBODYS =
      FieldSet.ofFields(
          "apiVersion",
          "kind",
          "metadata",
          "metadata.name",
          "metadata.namespace",
          "metadata.creationTimestamp",
          "metadata.selfLink",
          "metadata.uid",
          "metadata.clusterName",
          "metadata.generation",
          "metadata.managedFields",
          "metadata.resourceVersion");

  private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

  /// Parts of an object that a way of writing does not change.
  public enum Reset {
    NOTHING(),
    STATUS("status"),
    SPEC("spec"),
    /// As a custom object's status is written.
    ALL_BUT_STATUS("metadata", "spec");

    final FieldSet fields;

    Reset(String... fields) {
      this.fields = FieldSet.ofFields(fields);
    }
  }

  /// After a write that says what the object shall be. Equal parts of both objects, such as those
  /// that are the same tree, cost next to nothing.
  ///
  /// @param before without its `managedFields`, or with the same as `after`
  public Managers update(Managers managers, ObjectNode before, ObjectNode after, String manager) {
    // It was created before anybody kept track, or somebody has put an end to it (API-80).
    if (managers.isEmpty()) return managers;
    return track(managers, before, after, manager);
  }

  /// Of an object that comes to be.
  public Managers create(ObjectNode object, String manager) {
    return track(Managers.none(), NOTHING, object, manager);
  }

  private Managers track(Managers managers, ObjectNode before, ObjectNode after, String manager) {
    var change = Comparison.of(form, before, after).without(reset.fields);
    if (change.same()) return managers;
    var own = change.set().minus(NOBODYS);
    return managers.changed(change, entry(manager, Operation.UPDATE, own).at(now.toString()));
  }

  Entry entry(String manager, Operation operation, FieldSet fields) {
    var name = manager.isEmpty() ? "unknown" : manager;
    return new Entry(name, operation, apiVersion, "", fields, subresource);
  }

  /// What comes of an applied configuration.
  public sealed interface Applied {
    /// @param object with nothing of `managedFields`; shares what it can with the live object and
    ///   the configuration
    record Merged(ObjectNode object, Managers managers) implements Applied {}

    /// Others own what it would change. At least one.
    record Conflicting(List<Conflict> conflicts) implements Applied {
      public Conflicting {
        conflicts = List.copyOf(conflicts);
      }
    }

    /// It is no configuration of this kind of object.
    record Unfit(String why) implements Applied {}
  }

  /// A field that somebody else owns.
  ///
  /// @param with the owner as people read it: name, version and subresource
  /// @param field such as `.spec.containers[name="a"].image`
  public record Conflict(String with, String field) {}

  /// Whether to take what others own.
  public enum Force {
    NO,
    YES
  }

  /// Applies a configuration.
  ///
  /// @param live without its `managedFields`; empty: there is no such object yet
  public Applied apply(
      Managers managers, ObjectNode live, ObjectNode config, String manager, Force force) {
    try {
      Configuration.check(form, config);
      var known = managers.isEmpty() ? track(managers, NOTHING, live, BEFORE) : managers;
      var application = new Application(this, known, live, config, manager);
      var conflicts = force == Force.NO ? application.conflicts() : List.<Conflict>of();
      if (!conflicts.isEmpty()) {
        var serious = LastApplied.serious(this, live, manager, conflicts);
        if (!serious.isEmpty()) return new Applied.Conflicting(serious);
      }
      return new Applied.Merged(
          LastApplied.kept(application.merged(), config, manager), application.managers());
    } catch (UnnamedPartException unfit) {
      return new Applied.Unfit(String.valueOf(unfit.getMessage()));
    }
  }
}
