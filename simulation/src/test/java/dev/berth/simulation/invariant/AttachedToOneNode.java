package dev.berth.simulation.invariant;

import dev.berth.simulation.driver.Backend;
import dev.berth.simulation.driver.Demand;
import java.util.Optional;

/// A volume for one writer is attached to one node at a time, and to one that reaches it. (No
/// volume of a simulation is shared.)
final class AttachedToOneNode implements Invariant {
  @Override
  public Optional<String> objection(Demand demand, Backend backend) {
    if (!(demand instanceof Demand.Attach(var id, var node))) return Optional.empty();
    var disk = backend.find(id).orElseThrow();
    if (!disk.attached().isEmpty())
      return Optional.of(
          "%s is attached to %s while %s has it".formatted(id, node, disk.attached()));
    return disk.onlyNode()
        .filter(only -> !only.equals(node))
        .map(only -> "%s is attached to %s, but only %s reaches it".formatted(id, node, only));
  }
}
