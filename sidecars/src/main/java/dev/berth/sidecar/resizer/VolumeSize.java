package dev.berth.sidecar.resizer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Quantity;
import java.util.Optional;

/// Writes how large a volume is.
final class VolumeSize {
  private final Api api;

  VolumeSize(Api api) {
    this.api = api;
  }

  /// RSZ-57.
  ///
  /// @param former what its claim had, if a file system has to follow; noted once, until it has
  void grown(Volume volume, Quantity size, Optional<Quantity> former) {
    var note = former.filter(_ -> !volume.meta().hasAnnotation(Annotations.PRE_RESIZE_CAPACITY));
    if (note.isEmpty() && volume.capacity().equals(size)) return;
    var body = about(volume);
    body.withObject("/spec/capacity").put("storage", size.toString());
    note.ifPresent(it ->
        body.withObject("/metadata/annotations")
            .put(Annotations.PRE_RESIZE_CAPACITY, it.toString()));
    api.patch(Resources.VOLUMES, volume.meta().key(), Patch.strategic(body));
  }

  /// RSZ-23.
  void forgetFormer(Volume volume) {
    var body = about(volume);
    body.withObject("/metadata/annotations").putNull(Annotations.PRE_RESIZE_CAPACITY);
    api.patch(Resources.VOLUMES, volume.meta().key(), Patch.strategic(body));
  }

  private static ObjectNode about(Volume volume) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("uid", volume.meta().uid());
    return body;
  }
}
