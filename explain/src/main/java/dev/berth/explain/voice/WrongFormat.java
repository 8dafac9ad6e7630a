package dev.berth.explain.voice;

import dev.berth.explain.answer.EventsAbout;
import dev.berth.explain.answer.Explanation.Verdict;
import dev.berth.explain.answer.Failure;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Event;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Translation;
import dev.berth.volume.Way;
import dev.berth.volume.Ways;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/// A volume that has another file system than its PersistentVolume says (N20): kubelets tell that
/// of the volume, not of the pod.
final class WrongFormat {
  static final String REASON = "FailedMountOnFilesystemMismatch";

  private WrongFormat() {}

  static Failures told() {
    return (subject, objects, _) ->
        subject
            .as(Kinds.POD)
            .flatMap(key -> objects.get(Kinds.POD, key).found().stream())
            .flatMap(pod -> volumes(pod, objects))
            .flatMap(volume -> told(volume, objects).stream())
            .findFirst();
  }

  private static Stream<Ref> volumes(Pod pod, Snapshot objects) {
    return new Ways(objects, Translation.NONE)
        .ofClaims(pod)
        .flatMap(
            way -> way instanceof Way.Named it ? Stream.of(it.volume().ref()) : Stream.empty());
  }

  private static Optional<Failure> told(Ref volume, Snapshot objects) {
    return EventsAbout.of(volume, objects).stream()
        .filter(event -> event.reason().equals(REASON))
        .filter(event -> event.aboutUid().isEmpty() || event.aboutUid().equals(volume.uid()))
        .max(Comparator.comparing(Event::last))
        .map(event ->
            new Failure(
                event.message(),
                event.ref(),
                event.reason(),
                Optional.of(event.first()),
                Optional.of(event.last()),
                "correct csi.fsType of %s, which is made anew for that with policy Retain and the same volumeHandle; never format it: that erases the data"
                    .formatted(volume),
                Verdict.DANGER));
  }
}
