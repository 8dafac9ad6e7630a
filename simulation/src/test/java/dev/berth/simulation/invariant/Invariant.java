package dev.berth.simulation.invariant;

import dev.berth.kube.cache.Snapshot;
import dev.berth.simulation.driver.Backend;
import dev.berth.simulation.driver.Demand;
import java.util.Optional;

/// Something that must hold. Each question is answered with a sentence that says how it does not,
/// or empty.
public interface Invariant {
  /// Asked before the driver carries out anything.
  default Optional<String> objection(Demand demand, Backend backend) {
    return Optional.empty();
  }

  /// Asked after every step in which an object or a volume changed.
  default Optional<String> breach(Snapshot objects, Backend backend) {
    return Optional.empty();
  }

  /// Asked when nothing goes wrong any more and there was time enough for everything.
  default Optional<String> unrest(Snapshot objects, Backend backend) {
    return Optional.empty();
  }
}
