package dev.berth.simulation.cluster;

/// An invariant does not hold.
public final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1;

  Violation(String message) {
    super(message);
  }
}
