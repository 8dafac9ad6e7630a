package dev.berth.controller.attachdetach;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.stream.Stream;

/// The pairs of volume and node that an object stands for, for explanations: a VolumeAttachment is
/// one of them, a node has all of its own.
final class Pairs {
  private Pairs() {}

  static Stream<Matter> of(Ref subject, Snapshot objects) {
    var attachments =
        subject
            .as(Kinds.ATTACHMENT)
            .flatMap(key ->
                switch (objects.get(Kinds.ATTACHMENT, key)) {
                  case Found<Attachment>(var it) -> of(it, objects);
                  case Missing<Attachment>(var absent) -> wanted(absent, objects);
                });
    var nodes =
        subject
            .as(Kinds.NODE)
            .flatMap(key -> objects.get(Kinds.NODE, key).found().stream())
            .flatMap(it -> of(it, objects));
    return Stream.concat(attachments, nodes);
  }

  private static Stream<Matter> of(Attachment attachment, Snapshot objects) {
    return Concerned.byAttachment(Change.came(attachment), objects)
        .map(name -> new Matter.OnNode(name, attachment.nodeName()));
  }

  /// An attachment that is not there stands for the pair of its name, if a pod wants that (A03).
  private static Stream<Matter> wanted(Ref absent, Snapshot objects) {
    var view = new View(objects, Instant.EPOCH);
    return view.allVolumes()
        .flatMap(volume -> view.pairs(volume).stream())
        .filter(Pair::wanted)
        .filter(pair -> pair.volume().attachment(pair.nodeName()).equals(absent.key().name()))
        .<Matter>map(pair -> new Matter.OnNode(pair.volume(), pair.nodeName()))
        .limit(1);
  }

  private static Stream<Matter> of(Node node, Snapshot objects) {
    var attached =
        objects.by(Indexes.ATTACHMENTS_BY_NODE, node.meta().name()).stream()
            .flatMap(it -> Concerned.byAttachment(Change.came(it), objects));
    var listed = node.volumesAttached().stream().flatMap(name -> VolumeName.parse(name).stream());
    return Stream.concat(attached, listed)
        .distinct()
        .map(name -> new Matter.OnNode(name, node.meta().name()));
  }
}
