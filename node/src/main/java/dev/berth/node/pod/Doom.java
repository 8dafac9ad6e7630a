package dev.berth.node.pod;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import dev.berth.node.volume.need.Need;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Why a pod has to end before its containers have: it is stopped, then it counts as failed.
///
/// @param reason of its status, and of the event
record Doom(String reason, String message) {
  /// `RESOURCE_EXHAUSTED`, as gRPC numbers it.
  private static final int EXHAUSTED = 8;

  private static final Duration LONGEST = Duration.ofDays(36_500);

  /// @return empty: it may go on
  static Optional<Doom> of(PodView view, Pod pod) {
    if (!view.agent().itself() || pod.finished()) return Optional.empty();
    if (deadline(pod).filter(at -> !view.now().isBefore(at)).isPresent())
      return Optional.of(
          new Doom(
              Reasons.DEADLINE_EXCEEDED,
              "Pod was active on the node longer than the specified deadline"));
    return overcrowded(view, pod);
  }

  /// When `activeDeadlineSeconds` is over, counted from `status.startTime`.
  private static Optional<Instant> deadline(Pod pod) {
    var seconds = pod.spec().path("activeDeadlineSeconds");
    if (!seconds.isIntegralNumber()) return Optional.empty();
    return Json.instant(pod.status(), "startTime")
        .map(start -> start.plusSeconds(Math.clamp(seconds.asLong(), 0, LONGEST.toSeconds())));
  }

  /// The step, at which is looked again at the pod's deadline at the latest.
  static Step before(Step step, PodView view, Pod pod) {
    return view.agent().itself()
        ? deadline(pod).map(at -> Probes.lookAgain(step, at)).orElse(step)
        : step;
  }

  /// NCSN-10: the driver says that no more of its volumes can be attached here, and has promised to
  /// tell how many can. Elsewhere there may be room; here the pod has waited long enough.
  private static Optional<Doom> overcrowded(PodView view, Pod pod) {
    if (!view.local().runs(pod.meta().uid()).isEmpty()) return Optional.empty();
    for (var need : view.needs(pod)) {
      if (!(need instanceof Need.Known(_, var want)) || view.mounted(pod, need)) continue;
      var late = want.since().plus(PodWaits.VOLUMES_ARE_LATE);
      if (view.now().isBefore(late)) continue;
      var driver = view.objects().get(Kinds.CSI_DRIVER, ObjectKey.cluster(want.source().driver()));
      if (driver.found().flatMap(it -> it.allocatableUpdates()).isEmpty()) continue;
      var name = want.name().attachment(pod.nodeName());
      var full =
          view.objects()
              .get(Kinds.ATTACHMENT, ObjectKey.cluster(name))
              .found()
              .filter(it -> !it.attached())
              .flatMap(it -> it.attachError())
              .filter(error -> error.code().orElse(0) == EXHAUSTED);
      if (full.isPresent())
        return Optional.of(
            new Doom(
                Reasons.VOLUME_ATTACHMENT_LIMIT_EXCEEDED,
                "Pod was rejected: Node has reached its volume attachment limit, rejecting pod. Volume %s cannot be attached: %s"
                    .formatted(want.spec(), full.get().message())));
    }
    return Optional.empty();
  }

  Notice notice(Ref pod) {
    return reason.equals(Reasons.DEADLINE_EXCEEDED)
        ? Notice.normal(pod, reason, message)
        : Notice.warning(pod, reason, message);
  }
}
