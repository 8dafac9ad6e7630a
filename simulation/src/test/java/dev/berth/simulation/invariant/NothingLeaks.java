package dev.berth.simulation.invariant;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume;
import dev.berth.kube.model.Volume;
import dev.berth.simulation.driver.Backend;
import dev.berth.simulation.driver.Disk;
import java.util.Optional;
import java.util.stream.Stream;

/// At rest every PersistentVolume is held by its claim, every volume of the driver is that of a
/// PersistentVolume, and it is attached and mounted only where a pod has it. So when all pods and
/// claims are gone, the driver is empty.
final class NothingLeaks implements Invariant {
  @Override
  public Optional<String> unrest(Snapshot objects, Backend backend) {
    return Stream.of(
            objects.all(Kinds.CLAIM).stream()
                .filter(claim -> claim.meta().deleting())
                .map(claim -> "claim " + claim.meta().key() + " is left, though deleted"),
            objects.all(Kinds.VOLUME).stream()
                .filter(volume -> claim(objects, volume).isEmpty())
                .map(volume -> volume.meta().name() + " is left without a claim"),
            backend.disks().stream().flatMap(disk -> disk(objects, disk)),
            objects.all(Kinds.ATTACHMENT).stream()
                .filter(va -> users(objects, va.volumeName(), va.nodeName()).findAny().isEmpty())
                .map(va -> va.meta().name() + " is left without a pod"))
        .flatMap(leaks -> leaks)
        .findFirst();
  }

  private static Stream<String> disk(Snapshot objects, Disk disk) {
    var volume =
        objects.all(Kinds.VOLUME).stream()
            .filter(it -> it.csi().filter(csi -> csi.handle().equals(disk.id())).isPresent())
            .findFirst();
    if (volume.isEmpty())
      return Stream.of("%s (%s) is left without a volume".formatted(disk.id(), disk.name()));
    var nodes = Stream.of(disk.attached(), disk.staged().keySet(), disk.published().keySet());
    return nodes
        .flatMap(some -> some.stream())
        .distinct()
        .filter(node -> users(objects, volume.get().meta().name(), node).findAny().isEmpty())
        .map(node -> "%s is left on %s without a pod".formatted(disk.id(), node));
  }

  private static Optional<Claim> claim(Snapshot objects, Volume volume) {
    return volume
        .claim()
        .flatMap(ref -> objects.get(Kinds.CLAIM, ref.key()).found().filter(ref::names));
  }

  private static Stream<Pod> users(Snapshot objects, String volume, String node) {
    return objects.all(Kinds.CLAIM).stream()
        .filter(claim -> claim.volumeName().equals(volume))
        .flatMap(claim ->
            objects.all(Kinds.POD).stream()
                .filter(pod -> pod.nodeName().equals(node))
                .filter(pod -> uses(pod, claim)));
  }

  private static boolean uses(Pod pod, Claim claim) {
    return pod.volumes().stream()
        .anyMatch(volume ->
            volume.source() instanceof PodVolume.Source.FromClaim from
                && from.claimName().equals(claim.meta().name()));
  }
}
