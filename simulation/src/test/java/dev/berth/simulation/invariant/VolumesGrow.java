package dev.berth.simulation.invariant;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Quantity;
import dev.berth.simulation.driver.Backend;
import dev.berth.simulation.driver.Demand;
import dev.berth.simulation.driver.Disk;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// No volume shrinks, nothing is said to be larger than it is, nobody asks for less than what may
/// still be under way, and in the end every claim has what it asks for.
final class VolumesGrow implements Invariant {
  private final Map<String, Quantity> sizes = new HashMap<>();

  @Override
  public Optional<String> objection(Demand demand, Backend backend) {
    return switch (demand) {
      case Demand.Grow(var id, var bytes) when bytes < backend.growing(id) ->
          Optional.of(
              "%s is to have %d bytes while %d may still be under way"
                  .formatted(id, bytes, backend.growing(id)));
      case Demand.Fill(var id, var node)
          when backend.find(id).filter(disk -> disk.isMountedOn(node)).isEmpty() ->
          Optional.of("%s is to be filled on %s, where it is not mounted".formatted(id, node));
      default -> Optional.empty();
    };
  }

  @Override
  public Optional<String> breach(Snapshot objects, Backend backend) {
    return Stream.concat(
            objects.all(Kinds.VOLUME).stream().flatMap(it -> ofVolume(it, backend).stream()),
            objects.all(Kinds.CLAIM).stream().flatMap(it -> ofClaim(it, objects, backend).stream()))
        .findFirst();
  }

  private Optional<String> ofVolume(Volume volume, Backend backend) {
    var name = volume.meta().name();
    if (shrinks(volume.meta().uid(), volume.capacity())) return Optional.of(name + " shrinks");
    return disk(volume, backend)
        .filter(disk -> volume.capacity().toLong() > disk.bytes())
        .map(disk ->
            "%s says %s, %s has %d".formatted(name, volume.capacity(), disk.id(), disk.bytes()));
  }

  private Optional<String> ofClaim(Claim claim, Snapshot objects, Backend backend) {
    if (claim.capacity().isEmpty() || claim.meta().deleting()) return Optional.empty();
    var size = claim.capacity().get();
    if (shrinks(claim.meta().uid(), size))
      return Optional.of("claim %s shrinks".formatted(claim.meta().key()));
    return objects
        .get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))
        .found()
        .flatMap(volume -> disk(volume, backend))
        .filter(disk -> size.toLong() > disk.filled())
        .map(disk ->
            "claim %s says %s, on %s there are %d"
                .formatted(claim.meta().key(), size, disk.id(), disk.filled()));
  }

  private boolean shrinks(String uid, Quantity now) {
    var before = sizes.put(uid, now);
    return before != null && now.compareTo(before) < 0;
  }

  private static Optional<Disk> disk(Volume volume, Backend backend) {
    return volume.csi().flatMap(csi -> backend.find(csi.handle()));
  }

  @Override
  public Optional<String> unrest(Snapshot objects, Backend backend) {
    return objects.all(Kinds.CLAIM).stream()
        .filter(claim -> claim.phase() == Claim.Phase.BOUND && !claim.meta().deleting())
        .filter(claim -> claim.request().compareTo(claim.capacity().orElse(claim.request())) > 0)
        .findFirst()
        .map(claim ->
            "claim %s asks for %s and has %s"
                .formatted(claim.meta().key(), claim.request(), claim.capacity()));
  }
}
