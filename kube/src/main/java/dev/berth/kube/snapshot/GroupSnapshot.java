package dev.berth.kube.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.Optional;

/// A VolumeGroupSnapshot: that several claims be snapshot at one moment, or a place for such a
/// group that exists already.
///
/// @param className empty: none is named
/// @param selector of claims of its namespace; empty: it is of a content
/// @param contentName content that exists already; empty: it is taken of claims
/// @param status empty: nobody has written one
public record GroupSnapshot(
    Meta meta,
    Optional<String> className,
    Optional<LabelSelector> selector,
    Optional<String> contentName,
    Optional<Status> status)
    implements KubeObject {

  /// @param boundContent `boundVolumeGroupSnapshotContentName`; empty: none
  /// @param creationTime moment that the snapshots show
  /// @param readyToUse empty: not said
  public record Status(
      String boundContent,
      Optional<Instant> creationTime,
      Optional<Boolean> readyToUse,
      Optional<SnapshotError> error) {
    /// As where nobody has written one.
    public static final Status NONE =
        new Status("", Optional.empty(), Optional.empty(), Optional.empty());

    /// Whether this is what went wrong last.
    public boolean says(String message) {
      return error.flatMap(SnapshotError::message).equals(Optional.of(message));
    }
  }

  static GroupSnapshot of(JsonNode object) {
    var spec = object.path("spec");
    var source = spec.path("source");
    return new GroupSnapshot(
        Meta.of(object),
        Json.optionalText(spec, "volumeGroupSnapshotClassName"),
        source.hasNonNull("selector")
            ? Optional.of(LabelSelector.of(source.path("selector")))
            : Optional.empty(),
        Json.optionalText(source, "volumeGroupSnapshotContentName"),
        object.path("status").isObject()
            ? Optional.of(status(object.path("status")))
            : Optional.empty());
  }

  private static Status status(JsonNode status) {
    return new Status(
        Json.text(status, "boundVolumeGroupSnapshotContentName"),
        Json.instant(status, "creationTime"),
        Json.flag(status, "readyToUse"),
        SnapshotError.in(status));
  }

  public Ref ref() {
    return Ref.of(SnapshotResources.GROUP_SNAPSHOTS, meta);
  }

  /// Its status, as empty as can be where it has none.
  public Status shown() {
    return status.orElse(Status.NONE);
  }

  /// `status.boundVolumeGroupSnapshotContentName`.
  public Optional<String> boundContent() {
    return Optional.of(shown().boundContent()).filter(name -> !name.isEmpty());
  }

  /// Whether it is to be taken of an object with these labels, in its namespace.
  public boolean selects(Meta object) {
    return object.namespace().equals(meta.namespace())
        && selector.filter(it -> it.matches(object.labels())).isPresent();
  }

  public boolean isReady() {
    return shown().readyToUse().orElse(false) && boundContent().isPresent();
  }
}
