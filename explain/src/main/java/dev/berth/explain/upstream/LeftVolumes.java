package dev.berth.explain.upstream;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Ref;
import dev.berth.volume.Indexes;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/// Volumes that nobody sees to: to be deleted, in a phase in which no provisioner acts (D12); free
/// again, with the data of whoever had them (D23).
final class LeftVolumes {
  private LeftVolumes() {}

  static Stream<Step> steps(Ref subject, Snapshot objects, Instant now) {
    return subject
        .as(Kinds.VOLUME)
        .flatMap(key -> objects.get(Kinds.VOLUME, key).found().stream())
        .flatMap(volume -> step(volume, objects).stream());
  }

  private static Optional<Step> step(Volume volume, Snapshot objects) {
    if (volume.meta().deleting())
      return isIgnored(volume) && isDetached(volume, objects)
          ? Optional.of(untilReclaimed(volume))
          : Optional.empty();
    return volume.phase() == Volume.Phase.AVAILABLE && volume.claim().isEmpty() && wasUsed(volume)
        ? Optional.of(untilErased(volume))
        : Optional.empty();
  }

  private static boolean isIgnored(Volume volume) {
    return volume.meta().hasFinalizer(Finalizers.PROVISIONER)
        && (volume.phase() == Volume.Phase.FAILED || volume.phase() == Volume.Phase.AVAILABLE);
  }

  /// Without its volume an attachment could not be taken off any more (X06): who sees to that says
  /// what it waits for (D14).
  private static boolean isDetached(Volume volume, Snapshot objects) {
    return objects.by(Indexes.ATTACHMENTS_BY_VOLUME, volume.meta().name()).isEmpty();
  }

  /// A volume is made with its claim's name, and the binder leaves its mark on those it has bound.
  private static boolean wasUsed(Volume volume) {
    return volume.meta().hasAnnotation(Annotations.BOUND_BY_CONTROLLER)
        || volume.meta().hasAnnotation(Annotations.PROVISIONED_BY);
  }

  // D12
  private static Step untilReclaimed(Volume volume) {
    int place = volume.meta().finalizers().indexOf(Finalizers.PROVISIONER);
    return Wait.on(volume.ref(), "status.phase")
        .since(volume.meta().deleted().orElseThrow())
        .until(
            "what it stands for is deleted, which no provisioner does of a volume that is %s"
                .formatted(volume.phase() == Volume.Phase.FAILED ? "Failed" : "Available"))
        .danger(
            "see that the storage system has it no more: nothing names it there once this is done",
            "delete it on the storage system; once it is gone there: "
                + Commands.kubectl(
                    "patch",
                    volume.ref(),
                    ("--type json -p"
                         + " '[{\"op\":\"test\",\"path\":\"/metadata/finalizers/%1$d\",\"value\":\"%2$s\"},"
                         + "{\"op\":\"remove\",\"path\":\"/metadata/finalizers/%1$d\"}]'")
                        .formatted(place, Finalizers.PROVISIONER)));
  }

  // D23
  private static Step untilErased(Volume volume) {
    var sentence = Wait.on(volume.ref(), "spec.claimRef");
    return volume
        .phaseSince()
        .map(sentence::since)
        .orElse(sentence)
        .until("somebody decides about its data: it was used before, and is free for any claim now")
        .danger(
            "the next claim that it fits gets the data of the last one",
            "reserve it for the claim that is to have the data, or erase it, or delete it: "
                + Commands.delete(volume.ref()));
  }
}
