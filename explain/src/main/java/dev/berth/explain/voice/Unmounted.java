package dev.berth.explain.voice;

import dev.berth.explain.answer.EventsAbout;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Event;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.PodConditions;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Json;
import java.util.Set;

/// Whether what an agent told of a pod's volumes is still so: nobody says that a mount has
/// succeeded at last, and an image may be pulled for an hour after it (N05, N12).
final class Unmounted {
  /// What kubelets tell of a pod only when its volumes are mounted (L10).
  private static final Set<String> AFTERWARDS = Set.of("Pulling", "Pulled", "Created", "Started");

  private Unmounted() {}

  static boolean isOver(Event failure, Ref subject, Snapshot objects) {
    return objects
        .get(Kinds.POD, subject.key())
        .found()
        .filter(pod ->
            Registration.isOutdated(failure.message(), pod.nodeName(), objects)
                || readySince(failure, pod)
                || wentOn(failure, subject, objects))
        .isPresent();
  }

  /// What is told after that is of a later try, such as before a container is started again.
  private static boolean readySince(Event failure, Pod pod) {
    return pod.status()
        .path("conditions")
        .valueStream()
        .filter(it -> Json.text(it, "type").equals(PodConditions.READY_TO_START_CONTAINERS))
        .filter(it -> Json.text(it, "status").equals("True"))
        .map(it -> Json.instant(it, "lastTransitionTime"))
        .anyMatch(since -> since.isEmpty() || !since.get().isBefore(failure.last()));
  }

  private static boolean wentOn(Event failure, Ref subject, Snapshot objects) {
    return EventsAbout.of(subject, objects).stream()
        .filter(event -> AFTERWARDS.contains(event.reason()))
        .filter(event -> event.aboutUid().equals(failure.aboutUid()))
        .anyMatch(event -> event.last().isAfter(failure.last()));
  }
}
