package dev.berth.driver.serve;

import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerPublishVolumeResponse;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeResponse;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.Publication;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.serve.InFlight.Kind;
import dev.berth.driver.spi.Publishing;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// On which nodes a volume is available, and who may have it beside whom.
record PublishCalls(Parts parts, UsageSupport usages, InFlight inFlight) {

  /// CTL-03.
  ControllerPublishVolumeResponse publish(ControllerPublishVolumeRequest request)
      throws IOException {
    var publishing = parts.require(Publishing.class);
    var id = request.getVolumeId();
    var nodeId = request.getNodeId();
    Fields.present("volume_id", id);
    Fields.present("node_id", nodeId);
    Fields.present("volume_capability", request.hasVolumeCapability());
    var usage = Fields.usage(request.getVolumeCapability());
    Fields.noObjection(usages.objection(usage), Refusal::invalid);

    try (var _ = inFlight.hold("ControllerPublishVolume", Kind.VOLUME, id)) {
      var volume = parts.existing().requireVolume(id);
      if (!publishing.knowsNode(nodeId))
        throw new Refusal(
            Refusal.Reason.NOT_FOUND, "node " + Fields.shown(nodeId) + " is not known");
      Fields.noObjection(VolumeCalls.kindObjection(volume, usage), Refusal::invalid);

      var publications = publishing.publications(volume);
      var there = publications.stream().filter(it -> it.nodeId().equals(nodeId)).findFirst();
      if (there.isPresent()) return answer(same(there.get(), usage, request.getReadonly()));
      checkOthers(id, publications, usage, request.getReadonly());
      var context =
          publishing.publish(
              volume, nodeId, usage, request.getReadonly(), new Secrets(request.getSecretsMap()));
      return answer(new Publication(nodeId, usage, request.getReadonly(), context));
    }
  }

  private static Publication same(Publication there, Usage usage, boolean readOnly) {
    if (!there.usage().isSameAs(usage) || there.readOnly() != readOnly)
      throw Refusal.existsDifferently(
          "the volume is published on %s as %s, readonly %s; unpublish it first"
              .formatted(there.nodeId(), there.usage(), there.readOnly()));
    return there;
  }

  private static void checkOthers(
      String id, List<Publication> others, Usage usage, boolean readOnly) {
    for (var other : others) {
      if (!usage.mode().multiNode() || !other.usage().mode().multiNode())
        throw Refusal.wrongState(
            "volume %s is published on %s and %s allows one node; unpublish it there first"
                .formatted(id, other.nodeId(), usage.mode()));
      if (usage.mode() == AccessMode.MULTI_NODE_SINGLE_WRITER && !readOnly && !other.readOnly())
        throw Refusal.wrongState(
            "volume %s has its one writer on %s; publish it read-only here"
                .formatted(id, other.nodeId()));
    }
  }

  private ControllerPublishVolumeResponse answer(Publication publication) {
    return ControllerPublishVolumeResponse.newBuilder()
        .putAllPublishContext(parts.outgoing().publishContext(publication.context()))
        .build();
  }

  /// CTL-04, CTL-16: also for volumes and nodes that are gone.
  ControllerUnpublishVolumeResponse unpublish(ControllerUnpublishVolumeRequest request)
      throws IOException {
    var publishing = parts.require(Publishing.class);
    var id = request.getVolumeId();
    Fields.present("volume_id", id);
    var node =
        request.getNodeId().isEmpty() ? Optional.<String>empty() : Optional.of(request.getNodeId());
    try (var _ = inFlight.hold("ControllerUnpublishVolume", Kind.VOLUME, id)) {
      if (Fields.canBeId(id)) publishing.unpublish(id, node, new Secrets(request.getSecretsMap()));
    }
    return ControllerUnpublishVolumeResponse.getDefaultInstance();
  }
}
