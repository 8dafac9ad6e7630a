package dev.berth.controller.attachdetach;

import dev.berth.controller.Indexes;
import dev.berth.kube.cache.Change;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Lookup.Found;
import dev.berth.kube.model.Lookup.Missing;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Ref;
import dev.berth.kube.model.Resources;
import dev.berth.kube.model.VolumeName;
import java.util.stream.Stream;

/// The pairs of volume and node that an object stands for, for explanations: a VolumeAttachment is
/// one of them, a node has all of its own.
final class Pairs {
  private Pairs() {}

  static Stream<Pair> of(View view, Ref subject) {
    if (subject.resource().equals(Resources.ATTACHMENTS))
      return switch (view.attachment(subject.key())) {
        case Found<Attachment>(var it) -> of(view, it);
        case Missing<Attachment>(var absent) -> wanted(view, absent);
      };
    if (subject.resource().equals(Resources.NODES))
      return view.objects().get(Kinds.NODE, subject.key()).found().stream()
          .flatMap(it -> of(view, it));
    return Stream.empty();
  }

  private static Stream<Pair> of(View view, Attachment attachment) {
    return Concerned.byAttachment(Change.came(attachment), view.objects())
        .map(name -> view.pair(name, attachment.nodeName()));
  }

  /// An attachment that is not there stands for the pair of its name, if a pod wants that (A03).
  private static Stream<Pair> wanted(View view, Ref absent) {
    return view.allVolumes()
        .flatMap(volume -> view.pairs(volume).stream())
        .filter(Pair::wanted)
        .filter(pair -> pair.volume().attachment(pair.nodeName()).equals(absent.key().name()))
        .limit(1);
  }

  private static Stream<Pair> of(View view, Node node) {
    var attached =
        view.objects().by(Indexes.ATTACHMENTS_BY_NODE, node.meta().name()).stream()
            .flatMap(it -> Concerned.byAttachment(Change.came(it), view.objects()));
    var listed = node.volumesAttached().stream().flatMap(name -> VolumeName.parse(name).stream());
    return Stream.concat(attached, listed)
        .distinct()
        .map(name -> view.pair(name, node.meta().name()));
  }
}
