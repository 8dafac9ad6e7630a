package dev.berth.explain.upstream;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Ref;
import dev.berth.volume.PodClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/// A pod that another scheduler than Kubernetes' own shall place: what that one has said of it
/// (P22), or that there seems to be none (P02). How it decides nobody here knows.
final class OtherSchedulers {
  private static final String DEFAULT = "default-scheduler";

  /// Within which a scheduler that lives says something.
  private static final Duration USUAL = Duration.ofSeconds(10);

  private OtherSchedulers() {}

  static Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
    return subject
        .as(Kinds.POD)
        .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
        .filter(pod -> pod.nodeName().isEmpty() && !pod.finished() && !pod.meta().deleting())
        .filter(pod -> !pod.schedulerName().equals(DEFAULT))
        .flatMap(pod -> untilPlaced(pod, objects, now).stream());
  }

  private static Optional<Step> untilPlaced(Pod pod, Snapshot objects, Instant now) {
    // P01
    if (!pod.schedulingGates().isEmpty())
      return Optional.of(
          Wait.on(pod.ref(), "spec.schedulingGates")
              .since(pod.meta().created())
              .until(
                  "its scheduling gates are removed: " + String.join(", ", pod.schedulingGates()))
              .remedy("find out who set these gates; he removes them"));
    // P22
    if (pod.scheduled().isPresent())
      return pod.scheduled().filter(it -> !it.message().isEmpty()).map(it -> refused(pod, it));
    // P02
    return lives(pod, objects, now) ? Optional.empty() : Optional.of(untilTaken(pod, now));
  }

  private static Step refused(Pod pod, Pod.Condition condition) {
    return Wait.on(pod.ref(), "status.conditions")
        .since(condition.since().orElse(pod.meta().created()))
        .until(
            "scheduler %s has found a node for it; it reports: %s"
                .formatted(pod.schedulerName(), condition.message().strip()))
        .remedy("change what it names, or ask who runs scheduler " + pod.schedulerName());
  }

  /// By its Lease, or by having selected a node for a volume of the pod.
  private static boolean lives(Pod pod, Snapshot objects, Instant now) {
    return PodClaim.of(pod).stream()
            .flatMap(used -> objects.get(Kinds.CLAIM, used.key()).found().stream())
            .anyMatch(claim -> claim.selectedNode().isPresent())
        || objects.all(Kinds.LEASE).stream()
            .anyMatch(
                lease -> lease.meta().name().equals(pod.schedulerName()) && lease.isHeld(now));
  }

  private static Step untilTaken(Pod pod, Instant now) {
    var name = pod.schedulerName();
    var sentence =
        Wait.on(pod.ref(), "spec.schedulerName")
            .since(pod.meta().created())
            .until(
                "scheduler %s takes it: it has said nothing of it, and no lease %s says that it runs"
                    .formatted(name, name));
    var remedy =
        "start scheduler %s; or, if the name is wrong, create the pod again with another spec.schedulerName"
            .formatted(name);
    return now.isBefore(pod.meta().created().plus(USUAL))
        ? sentence.ifLate(USUAL, remedy)
        : sentence.remedy(remedy);
  }
}
