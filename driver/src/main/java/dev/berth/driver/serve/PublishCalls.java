package dev.berth.driver.serve;

import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerPublishVolumeResponse;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeResponse;
import dev.berth.driver.model.Publication;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.model.Volume;
import dev.berth.driver.serve.InFlight.Kind;
import dev.berth.driver.spi.Publishing;
import dev.berth.driver.spi.SecretKeys.Call;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/// On which nodes a volume is available, and who may have it beside whom.
record PublishCalls(Parts parts, UsageSupport usages, InFlight inFlight, Moves moves) {
  private static final String PUBLISH = "ControllerPublishVolume";
  private static final String UNPUBLISH = "ControllerUnpublishVolume";

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

    var secrets = parts.secrets(Call.PUBLISH_VOLUME, request.getSecretsMap());
    var wish = new Publication(nodeId, usage, request.getReadonly(), Map.of());
    try (var _ = inFlight.share(PUBLISH, Kind.VOLUME, id);
        var _ = inFlight.hold(PUBLISH, Kind.VOLUME_AT_NODE, at(id, nodeId))) {
      var volume = parts.existing().requireVolume(id);
      if (!publishing.knowsNode(nodeId))
        throw new Refusal(
            Refusal.Reason.NOT_FOUND, "node " + Fields.shown(nodeId) + " is not known");
      Fields.noObjection(VolumeCalls.kindObjection(volume, usage), Refusal::invalid);
      return answer(publish(publishing, volume, wish, secrets));
    }
  }

  private Publication publish(
      Publishing publishing, Volume volume, Publication wish, Secrets secrets) throws IOException {
    try (var _ = moves.come(volume.id(), wish)) {
      var there = publishing.publications(volume);
      var done = there.stream().filter(it -> it.nodeId().equals(wish.nodeId())).findFirst();
      if (done.isPresent()) return same(done.get(), wish);
      moves.checkBeside(volume.id(), there, wish);
      var context =
          publishing.publish(volume, wish.nodeId(), wish.usage(), wish.readOnly(), secrets);
      return new Publication(wish.nodeId(), wish.usage(), wish.readOnly(), context);
    }
  }

  private static String at(String volumeId, String nodeId) {
    return volumeId + " on " + Fields.shown(nodeId);
  }

  private static Publication same(Publication there, Publication wish) {
    if (!there.usage().isSameAs(wish.usage()) || there.readOnly() != wish.readOnly())
      throw Refusal.existsDifferently(
          "the volume is published on %s as %s, readonly %s; unpublish it first"
              .formatted(there.nodeId(), there.usage(), there.readOnly()));
    return there;
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
    var secrets = parts.secrets(Call.UNPUBLISH_VOLUME, request.getSecretsMap());
    if (request.getNodeId().isEmpty())
      try (var _ = inFlight.hold(UNPUBLISH, Kind.VOLUME, id)) {
        if (Fields.canBeId(id)) publishing.unpublish(id, Optional.empty(), secrets);
      }
    else unpublish(publishing, id, request.getNodeId(), secrets);
    return ControllerUnpublishVolumeResponse.getDefaultInstance();
  }

  private void unpublish(Publishing publishing, String id, String nodeId, Secrets secrets)
      throws IOException {
    try (var _ = inFlight.share(UNPUBLISH, Kind.VOLUME, id);
        var _ = inFlight.hold(UNPUBLISH, Kind.VOLUME_AT_NODE, at(id, nodeId));
        var _ = moves.leave(id, nodeId)) {
      if (Fields.canBeId(id)) publishing.unpublish(id, Optional.of(nodeId), secrets);
    }
  }
}
