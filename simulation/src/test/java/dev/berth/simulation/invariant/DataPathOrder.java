package dev.berth.simulation.invariant;

import dev.berth.simulation.driver.Backend;
import dev.berth.simulation.driver.Demand;
import dev.berth.simulation.driver.Disk;
import java.util.Optional;

/// Attach, stage, publish; unpublish, unstage, detach; and a volume is deleted after all of it.
final class DataPathOrder implements Invariant {
  @Override
  public Optional<String> objection(Demand demand, Backend backend) {
    return switch (demand) {
      case Demand.Create _, Demand.Attach _ -> Optional.empty();
      case Demand.Unpublish _, Demand.Open _ -> Optional.empty(); // ContainersKeepTheirVolumes
      case Demand.Grow _, Demand.Fill _ -> Optional.empty(); // VolumesGrow
      case Demand.Cut _, Demand.Discard _ -> Optional.empty(); // SnapshotsAreKept
      case Demand.Stage(var id, var node, _) ->
          disk(backend, id).attached().contains(node)
              ? Optional.empty()
              : Optional.of("%s is staged on %s before it is attached".formatted(id, node));
      case Demand.Publish(var id, var node, var staging, _) ->
          staging.equals(disk(backend, id).staged().get(node))
              ? Optional.empty()
              : Optional.of("%s is published on %s before it is staged".formatted(id, node));
      case Demand.Unstage(var id, var node) ->
          disk(backend, id).targets(node).isEmpty()
              ? Optional.empty()
              : Optional.of("%s is unstaged on %s while it is published".formatted(id, node));
      case Demand.Detach(var id, var node) ->
          disk(backend, id).isMountedOn(node)
              ? Optional.of("%s is detached from %s while it is mounted".formatted(id, node))
              : Optional.empty();
      case Demand.Delete(var id) ->
          disk(backend, id).attached().isEmpty()
              ? Optional.empty()
              : Optional.of("%s is deleted while it is attached".formatted(id));
    };
  }

  private static Disk disk(Backend backend, String id) {
    return backend.find(id).orElseThrow();
  }
}
