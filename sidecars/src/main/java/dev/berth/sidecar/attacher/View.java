package dev.berth.sidecar.attacher;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Lookup;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Indexes;
import dev.berth.volume.Translation;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/// What the attacher sees.
///
/// @param audit what the driver says of where its volumes are attached
public record View(Snapshot objects, Audit audit, Instant now) {
  Stream<Attachment> attachments() {
    return objects.all(Kinds.ATTACHMENT).stream();
  }

  /// Whether the driver says otherwise than the attachment, and nothing has been done about it.
  boolean calls(Attachment va) {
    return audit.calls(va.meta().name(), va.meta().uid());
  }

  /// The driver's name of the attachment's node: from the node if it is there, or as we noted it at
  /// attaching (ATT-37, ATT-60).
  Optional<String> nodeId(Attachment va, String driver) {
    return csiNode(va.nodeName())
        .found()
        .flatMap(node -> node.driver(driver))
        .map(CsiNode.Driver::nodeId)
        .or(() -> va.meta().annotation(Annotations.ATTACHMENT_NODE_ID));
  }

  Lookup<Attachment> attachment(ObjectKey key) {
    return objects.get(Kinds.ATTACHMENT, key);
  }

  Lookup<Volume> volume(ObjectKey key) {
    return objects.get(Kinds.VOLUME, key);
  }

  /// The volume as its driver knows it; empty: no CSI driver serves it.
  Optional<CsiSource> source(Volume volume) {
    return Translation.NONE.source(volume);
  }

  Lookup<CsiNode> csiNode(String name) {
    return objects.get(Kinds.CSI_NODE, ObjectKey.cluster(name));
  }

  /// Any attachment that names the volume, whoever's it is.
  Optional<Attachment> attachmentOf(Volume volume) {
    return objects.by(Indexes.ATTACHMENTS_BY_VOLUME, volume.meta().name()).stream().findFirst();
  }
}
