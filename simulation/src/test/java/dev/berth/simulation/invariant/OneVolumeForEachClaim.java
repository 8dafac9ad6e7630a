package dev.berth.simulation.invariant;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.simulation.driver.Backend;
import dev.berth.simulation.driver.Demand;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// No volume is created twice for one claim: not while the first one is there, and not after it was
/// deleted.
final class OneVolumeForEachClaim implements Invariant {
  private final Set<String> created = new HashSet<>();

  @Override
  public Optional<String> objection(Demand demand, Backend backend) {
    return demand instanceof Demand.Create(var name) && !created.add(name)
        ? Optional.of("a volume is created once more as " + name)
        : Optional.empty();
  }

  @Override
  public Optional<String> breach(Snapshot objects, Backend backend) {
    var volumes = new HashMap<String, String>();
    for (var volume : objects.all(Kinds.VOLUME)) {
      if (volume.claim().isEmpty()) continue;
      var name = volume.meta().name();
      var other = volumes.put(volume.claim().get().uid(), name);
      if (other != null)
        return Optional.of(
            "%s and %s are both for claim %s".formatted(other, name, volume.claim().get().key()));
    }
    return Optional.empty();
  }
}
