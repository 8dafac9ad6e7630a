package dev.berth.simulation.cluster;

import dev.berth.simulation.time.SimulatedProcess;

/// A program that is started again whenever its process has died.
interface Part {
  String name();

  /// Runs it in a new process.
  Loops start(SimulatedProcess process);
}
