package dev.berth.apiserver.core.kind;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.core.field.Field;
import dev.berth.apiserver.core.field.MetadataRules;
import dev.berth.apiserver.core.field.Names;
import java.time.Instant;
import java.util.List;

/// What one kind of object adds to what all have. `object` is a copy that the rules may change
/// where they say so; `stored` is not.
public interface Rules {
  /// What a name may look like.
  default Names names() {
    return Names.SUBDOMAIN;
  }

  /// What finalizers may look like.
  default MetadataRules.Finalizers finalizers() {
    return MetadataRules.Finalizers.OF_A_DOMAIN;
  }

  /// When `metadata.generation` counts.
  default Generation generation() {
    return Generation.NEVER;
  }

  /// Parts of the metadata whose change counts for the generation too.
  default List<String> countedMetadata() {
    return List.of();
  }

  /// Whether an update may come without a resourceVersion (API-70).
  default boolean versionlessUpdate() {
    return true;
  }

  /// Whether updating an object that is missing creates it (API-70).
  default boolean createdByUpdate() {
    return false;
  }

  /// Whether a creator's status is taken.
  default boolean statusAtCreate() {
    return false;
  }

  /// Fields of the metadata that a write to the status does not change (API-46).
  default List<String> keptByStatusWrite() {
    return List.of();
  }

  /// Whether a deletion is answered without the object (API-86).
  default boolean goesQuietly() {
    return false;
  }

  /// Where the object has quantities: paths with `*` for every element or key (API-106).
  default List<String> quantities() {
    return List.of();
  }

  /// Sees to it that what it takes to check `object` is at hand, before anything else is done.
  default void prepare(ObjectNode object) {}

  /// Fills in fields that were left out, in every object that comes in and in the result of every
  /// patch.
  default void setDefaults(ObjectNode object) {}

  /// Makes a new object what it is at first, its status above all.
  default void start(ObjectNode object, Instant now) {}

  /// Completes a change to the object itself; its status is already the stored one.
  default void change(ObjectNode object, ObjectNode stored) {}

  /// Completes a change to the status; everything else is already the stored one.
  default void changeStatus(ObjectNode object, ObjectNode stored, Instant now) {}

  /// What is wrong with the object by itself.
  default void check(Field object) {}

  /// What is wrong with the object as a new one, if nothing is by itself.
  default void checkNew(Field object) {}

  /// What is wrong with changing `stored` into `object`.
  default void checkChange(Field object, Field stored) {}

  /// What is wrong with the status.
  default void checkStatus(Field object) {}

  /// What is wrong with changing the status of `stored` into that of `object`.
  default void checkStatusChange(Field object, Field stored) {}

  /// What becomes of what the object owns if its deletion does not say (API-88): `Background`, or
  /// `Orphan` where clients have always had it so.
  default String propagation() {
    return "Background";
  }

  /// How long an object is left to end by itself once its deletion was asked for (API-87).
  ///
  /// @param wanted what the client asked for, in seconds; negative: nothing
  /// @return seconds; 0: not at all
  default long grace(ObjectNode object, long wanted) {
    return 0;
  }

  /// When an object's generation counts (API-45).
  enum Generation {
    NEVER,
    /// Absent at first, then up with each change outside metadata and status.
    FROM_ZERO,
    /// 1 at first.
    FROM_ONE
  }
}
