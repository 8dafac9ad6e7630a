package dev.berth.simulation.invariant;

import dev.berth.kube.cache.Snapshot;
import dev.berth.simulation.driver.Backend;
import dev.berth.simulation.driver.Demand;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// All of them, for one simulation.
public final class Invariants {
  private final List<Invariant> all =
      List.of(
          new DataPathOrder(),
          new AttachedToOneNode(),
          new ContainersKeepTheirVolumes(),
          new OneVolumeForEachClaim(),
          new FinalizersStandOnce(),
          new ClaimsGetBound(),
          new VolumesGrow(),
          new PodsRun(),
          new PlacesAreKept(),
          new SnapshotsAreKept(),
          new SetsKeepTheirClaims(),
          new HealthIsTold(),
          new NothingLeaks());

  public Optional<String> objection(Demand demand, Backend backend) {
    return first(it -> it.objection(demand, backend));
  }

  public Optional<String> breach(Snapshot objects, Backend backend) {
    return first(it -> it.breach(objects, backend));
  }

  public Optional<String> unrest(Snapshot objects, Backend backend) {
    return first(it -> it.unrest(objects, backend));
  }

  private Optional<String> first(Function<Invariant, Optional<String>> answer) {
    return all.stream()
        .flatMap(
            it -> answer.apply(it).map(why -> it.getClass().getSimpleName() + ": " + why).stream())
        .findFirst();
  }
}
