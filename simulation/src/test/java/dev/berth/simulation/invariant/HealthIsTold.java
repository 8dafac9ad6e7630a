package dev.berth.simulation.invariant;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.simulation.driver.Backend;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A claim says only what was wrong with its volume at some time, is not said to be well while its
/// volume was ill all along (VH-11, VH-12), and in the end says what is wrong and no more.
final class HealthIsTold implements Invariant {
  /// How often volumes had recovered when their claim began to say that they are ill, by the
  /// claim's uid; -1: it was well by then.
  private final Map<String, Integer> told = new HashMap<>();

  @Override
  public Optional<String> breach(Snapshot objects, Backend backend) {
    return objects.all(Kinds.CLAIM).stream()
        .flatMap(claim ->
            disk(claim, objects, backend).flatMap(id -> ofClaim(claim, id, backend)).stream())
        .findFirst();
  }

  private Optional<String> ofClaim(Claim claim, String disk, Backend backend) {
    var ills = backend.ills();
    var said = said(claim);
    if (!ills.ever(disk).containsAll(said))
      return Optional.of(
          "claim %s says %s, and with %s that never was".formatted(claim.meta().key(), said, disk));
    var uid = claim.meta().uid();
    if (!said.isEmpty()) {
      told.putIfAbsent(uid, ills.of(disk).isEmpty() ? -1 : ills.recoveries(disk));
      return Optional.empty();
    }
    var before = told.remove(uid);
    return before != null && !ills.of(disk).isEmpty() && before == ills.recoveries(disk)
        ? Optional.of(
            "claim %s says no more that %s is ill, which it was all along: %s"
                .formatted(claim.meta().key(), disk, ills.of(disk)))
        : Optional.empty();
  }

  private static Set<String> said(Claim claim) {
    return claim.health().conditions().stream()
        .map(it -> it.status() + "/" + it.reason())
        .collect(Collectors.toSet());
  }

  private static Optional<String> disk(Claim claim, Snapshot objects, Backend backend) {
    return objects
        .get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))
        .found()
        .flatMap(volume -> volume.csi())
        .map(csi -> csi.handle())
        .filter(id -> backend.find(id).isPresent());
  }

  @Override
  public Optional<String> unrest(Snapshot objects, Backend backend) {
    return objects.all(Kinds.CLAIM).stream()
        .filter(claim -> claim.phase() == Claim.Phase.BOUND && !claim.meta().deleting())
        .flatMap(claim ->
            disk(claim, objects, backend)
                .filter(id -> !said(claim).equals(backend.ills().of(id)))
                .map(id ->
                    "claim %s says %s, and %s has %s"
                        .formatted(claim.meta().key(), said(claim), id, backend.ills().of(id)))
                .stream())
        .findFirst();
  }
}
