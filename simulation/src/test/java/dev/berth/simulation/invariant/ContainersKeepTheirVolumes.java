package dev.berth.simulation.invariant;

import dev.berth.simulation.driver.Backend;
import dev.berth.simulation.driver.Demand;
import java.util.Optional;

/// A container starts when its volume is published, and the volume stays until the container has
/// ended.
final class ContainersKeepTheirVolumes implements Invariant {
  @Override
  public Optional<String> objection(Demand demand, Backend backend) {
    return switch (demand) {
      case Demand.Open(var node, var target) ->
          backend.at(node, target).isPresent()
              ? Optional.empty()
              : Optional.of("a container on %s starts without %s".formatted(node, target));
      case Demand.Unpublish(var id, var node, var target) ->
          backend.find(id).filter(disk -> disk.isOpenAt(node, target)).isPresent()
              ? Optional.of("%s is unpublished under a container on %s".formatted(id, node))
              : Optional.empty();
      default -> Optional.empty();
    };
  }
}
