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
        .flatMap(volume -> step(volume).stream());
  }

  private static Optional<Step> step(Volume volume) {
    if (volume.meta().deleting())
      return isIgnored(volume) ? Optional.of(untilReclaimed(volume)) : Optional.empty();
    return volume.phase() == Volume.Phase.AVAILABLE && volume.claim().isEmpty() && wasUsed(volume)
        ? Optional.of(untilErased(volume))
        : Optional.empty();
  }

  private static boolean isIgnored(Volume volume) {
    return volume.meta().hasFinalizer(Finalizers.PROVISIONER)
        && (volume.phase() == Volume.Phase.FAILED || volume.phase() == Volume.Phase.AVAILABLE);
  }

  /// A volume is made with its claim's name, and the binder leaves its mark on those it has bound.
  private static boolean wasUsed(Volume volume) {
    return volume.meta().hasAnnotation(Annotations.BOUND_BY_CONTROLLER)
        || volume.meta().hasAnnotation(Annotations.PROVISIONED_BY);
  }

  // D12
  private static Step untilReclaimed(Volume volume) {
    return Wait.on(volume.ref(), "status.phase")
        .since(volume.meta().deleted().orElseThrow())
        .until(
            "what it stands for is deleted, which no provisioner does of a volume that is %s"
                .formatted(volume.phase() == Volume.Phase.FAILED ? "Failed" : "Available"))
        .remedy(
            "delete it on the storage system; once it is gone there: "
                + Commands.kubectl(
                    "patch",
                    volume.ref(),
                    "--type json -p '[{\"op\":\"remove\",\"path\":\"/metadata/finalizers\"}]'"));
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
