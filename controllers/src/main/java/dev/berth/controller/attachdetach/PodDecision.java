package dev.berth.controller.attachdetach;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.volume.Way;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Tells one pod which of its volumes is not attached yet, and why. It acts on nothing: what is
/// done for the pod is decided per volume, in [AttachmentDecision].
final class PodDecision {
  /// What the controller itself may take (A03, A17).
  private static final Duration ASKING = Duration.ofSeconds(10);

  /// How long an attacher is waited for before pods are told (AD-03, AD-42).
  private static final Duration OVERDUE = Duration.ofMinutes(2);

  private static final Duration TELLING = Duration.ofSeconds(5);

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

  /// The first of which there is something to tell, as that of no other is told; else the first.
  private Step firstUnattached(View view, Pod pod) {
    var waits =
        view.ways()
            .ofClaims(pod)
            .map(way -> decide(view, pod, way))
            .filter(Wait.class::isInstance)
            .map(Wait.class::cast)
            .toList();
    var again = waits.stream().flatMap(wait -> wait.again().stream()).min(Instant::compareTo);
    return waits.stream()
        .min(Comparator.comparing(wait -> wait.notice().isEmpty()))
        .<Step>map(wait -> again.map(wait::lookAgainAt).orElse(wait))
        .orElseGet(Settled::new);
  }

  /// Without a volume that claim and volume agree on there is nothing to attach: who needs the
  /// claim says what it lacks.
  private Step decide(View view, Pod pod, Way.OfClaim way) {
    return way instanceof Way.Arrived it && it.claim().phase() == Claim.Phase.BOUND
        ? decide(view, pod, it.volume(), it.name())
        : new Settled();
  }

  private Step decide(View view, Pod pod, Volume volume, VolumeName name) {
    var pairs = view.pairs(name);
    var mine = pairs.stream().filter(pair -> pair.nodeName().equals(pod.nodeName())).findFirst();
    if (mine.filter(Pair::wanted).isEmpty()) return new Settled(); // A01; nothing is attached here
    return switch (attachments.attach(view, mine.get(), pairs)) {
      case Settled settled -> settled;
      case Act _ -> untilToldOf(pod, mine.get());
      case Wait wait ->
          failure(view, pod, volume, mine.get(), pairs)
              .map(text -> wait.tell(failed(pod, text)))
              .orElseGet(() -> untilOverdue(view, mine.get(), wait));
    };
  }

  private static Wait untilOverdue(View view, Pair mine, Wait wait) {
    return mine.attachment()
        .found()
        .map(PodDecision::overdueAt)
        .filter(view.now()::isBefore)
        .map(wait::lookAgainAt)
        .orElse(wait);
  }

  private static Instant overdueAt(Attachment attachment) {
    return attachment.meta().created().plus(OVERDUE);
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
              .map(Attachment.Failure::message)
              .or(() -> unanswered(view, mine.volume(), attachment))
              .map(why -> "AttachVolume.Attach failed for volume \"%s\" : %s".formatted(name, why));
      case Missing<Attachment> _ ->
          AttachmentDecision.obstacle(view, mine, pairs)
              .map(other ->
                  "Multi-Attach error for volume \"%s\" %s"
                      .formatted(name, whoHasIt(pod, other.uses())));
    };
  }

  /// AD-42.
  private static Optional<String> unanswered(View view, VolumeName volume, Attachment asked) {
    if (view.now().isBefore(overdueAt(asked))) return Optional.empty();
    return Optional.of(
        "timed out waiting for external-attacher of %s CSI driver to attach volume %s"
            .formatted(volume.driver(), volume.handle()));
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

  // A03, A17: the step is about to be taken
  private static Wait untilToldOf(Pod pod, Pair pair) {
    var attachment =
        Ref.of(Resources.ATTACHMENTS, ObjectKey.cluster(pair.volume().attachment(pod.nodeName())));
    return pair.attachment().found().isEmpty()
        ? Wait.on(attachment)
            .since(pod.meta().created())
            .until("the attach/detach controller has asked for " + attachment)
            .ifLate(ASKING, "look at the attach/detach controller's log")
        : Wait.on(
                Ref.of(Resources.NODES, ObjectKey.cluster(pod.nodeName())),
                "status.volumesAttached")
            .since(pod.meta().created())
            .until("the attach/detach controller has told node " + pod.nodeName())
            .ifLate(TELLING, "look at the attach/detach controller's log");
  }
}
