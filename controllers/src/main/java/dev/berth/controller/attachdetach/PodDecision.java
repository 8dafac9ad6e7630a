package dev.berth.controller.attachdetach;

import dev.berth.controller.PodClaim;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Lookup.Found;
import dev.berth.kube.model.Lookup.Missing;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Reasons;
import dev.berth.kube.model.Ref;
import dev.berth.kube.model.Resources;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Tells one pod which of its volumes is not attached yet, and why. It acts on nothing: what is
/// done for the pod is decided per volume, in [AttachmentDecision].
final class PodDecision {
  private final AttachmentDecision attachments;

  PodDecision(AttachmentDecision attachments) {
    this.attachments = attachments;
  }

  Step decide(View view, ObjectKey key) {
    return switch (view.pod(key)) {
      case Missing<Pod> _ -> new Settled();
      case Found<Pod>(var pod) when pod.nodeName().isEmpty() || View.ended(pod) -> new Settled();
      case Found<Pod>(var pod) -> firstUnattached(view, pod);
    };
  }

  private Step firstUnattached(View view, Pod pod) {
    return PodClaim.of(pod).stream()
        .map(claim -> decide(view, pod, claim))
        .filter(Wait.class::isInstance)
        .findFirst()
        .orElseGet(Settled::new);
  }

  private Step decide(View view, Pod pod, PodClaim used) {
    return switch (view.claim(used.key())) {
      case Missing<Claim>(var absent) -> untilBound(pod, absent, "");
      case Found<Claim>(var claim) when claim.phase() != Claim.Phase.BOUND ->
          untilBound(pod, claim.ref(), "status.phase");
      case Found<Claim>(var claim) ->
          switch (view.volume(claim.volumeName())) {
            case Missing<Volume>(var absent) -> untilBound(pod, absent, "");
            case Found<Volume>(var volume) -> decide(view, pod, volume);
          };
    };
  }

  private Step decide(View view, Pod pod, Volume volume) {
    if (volume.csi().isEmpty()) return new Settled();
    var name = VolumeName.of(volume.csi().get());
    var pairs = view.pairs(name);
    var mine = pairs.stream().filter(pair -> pair.nodeName().equals(pod.nodeName())).findFirst();
    if (mine.filter(Pair::wanted).isEmpty()) return new Settled(); // A01; nothing is attached here
    return switch (attachments.attach(view, mine.get(), pairs)) {
      case Settled settled -> settled;
      case Act _ -> untilToldOf(pod, mine.get());
      case Wait wait ->
          failure(view, pod, volume, mine.get(), pairs)
              .map(text -> wait.tell(failed(pod, text)))
              .orElse(wait);
    };
  }

  private static Notice failed(Pod pod, String text) {
    return Notice.warning(pod.ref(), Reasons.FAILED_ATTACH_VOLUME, text);
  }

  /// What went wrong, in upstream's words; empty: nothing, so far.
  private static Optional<String> failure(
      View view, Pod pod, Volume volume, Pair mine, List<Pair> pairs) {
    var name = volume.meta().name();
    return switch (mine.attachment()) {
      // One on its way out is no failure yet (A11): a pod made anew meets it each time.
      case Found<Attachment>(var attachment) when attachment.meta().deleting() ->
          attachment
              .detachError()
              .map(_ ->
                  "AttachVolume.Attach failed for volume \"%s\" : volume attachment is being deleted"
                      .formatted(name));
      case Found<Attachment>(var attachment) ->
          attachment
              .attachError()
              .map(error ->
                  "AttachVolume.Attach failed for volume \"%s\" : %s"
                      .formatted(name, error.message()));
      case Missing<Attachment> _ ->
          AttachmentDecision.obstacle(view, mine, pairs)
              .map(other ->
                  "Multi-Attach error for volume \"%s\" %s"
                      .formatted(name, whoHasIt(pod, other.uses())));
    };
  }

  /// Pods of other namespaces are counted, never named (AD-41).
  private static String whoHasIt(Pod pod, List<Use> uses) {
    var pods = uses.stream().map(Use::pod).distinct().toList();
    if (pods.isEmpty())
      return "Volume is already exclusively attached to one node and can't be attached to another";
    var namespace = pod.meta().namespace();
    var here =
        pods.stream()
            .filter(other -> other.meta().namespace().equals(namespace))
            .map(other -> other.meta().name())
            .collect(Collectors.joining(", "));
    long elsewhere =
        pods.stream().filter(other -> !other.meta().namespace().equals(namespace)).count();
    if (here.isEmpty())
      return "Volume is already used by " + elsewhere + " pod(s) in different namespaces";
    return "Volume is already used by pod(s) "
        + here
        + (elsewhere == 0 ? "" : " and " + elsewhere + " pod(s) in different namespaces");
  }

  // N02, C13
  private static Wait untilBound(Pod pod, Ref on, String field) {
    return Wait.on(on, field)
        .since(pod.meta().created())
        .until(on + " is bound")
        .remedy("see what keeps it: " + Commands.explain(on));
  }

  // A03, A17: the step is about to be taken
  private static Wait untilToldOf(Pod pod, Pair pair) {
    var attachment =
        Ref.of(Resources.ATTACHMENTS, ObjectKey.cluster(pair.volume().attachment(pod.nodeName())));
    return pair.attachment().found().isEmpty()
        ? Wait.on(attachment)
            .since(pod.meta().created())
            .until("the attach/detach controller has asked for " + attachment)
        : Wait.on(
                Ref.of(Resources.NODES, ObjectKey.cluster(pod.nodeName())),
                "status.volumesAttached")
            .since(pod.meta().created())
            .until("the attach/detach controller has told node " + pod.nodeName());
  }
}
