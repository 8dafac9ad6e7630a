package dev.berth.simulation.cluster;

/// Whether machines fail.
public enum Fate {
  /// Agents die and come back at once; machines go on. Nobody watches over them.
  IMMORTAL,

  /// Machines go off, too, for longer than anybody waits.
  MORTAL
}
