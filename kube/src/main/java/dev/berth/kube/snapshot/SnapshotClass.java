package dev.berth.kube.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resource;
import dev.berth.kube.value.Json;
import java.util.Map;

/// A VolumeSnapshotClass, or a VolumeGroupSnapshotClass, which has the same fields.
///
/// @param resource which of the two it is
/// @param isDefault whether it stands in where a snapshot names none
public record SnapshotClass(
    Resource resource,
    Meta meta,
    String driver,
    Map<String, String> parameters,
    DeletionPolicy deletionPolicy,
    boolean isDefault)
    implements KubeObject {
  public SnapshotClass {
    parameters = Map.copyOf(parameters);
  }

  static SnapshotClass ofSnapshots(JsonNode object) {
    return of(SnapshotResources.CLASSES, SnapshotAnnotations.IS_DEFAULT_CLASS, object);
  }

  static SnapshotClass ofGroups(JsonNode object) {
    return of(SnapshotResources.GROUP_CLASSES, SnapshotAnnotations.IS_DEFAULT_GROUP_CLASS, object);
  }

  private static SnapshotClass of(Resource resource, String isDefault, JsonNode object) {
    var meta = Meta.of(object);
    return new SnapshotClass(
        resource,
        meta,
        Json.text(object, "driver"),
        Json.texts(object.path("parameters")),
        DeletionPolicy.of(Json.text(object, "deletionPolicy")),
        meta.annotation(isDefault).filter("true"::equals).isPresent());
  }

  public Ref ref() {
    return Ref.of(resource, meta);
  }
}
