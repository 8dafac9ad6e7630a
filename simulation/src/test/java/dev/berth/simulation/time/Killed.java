package dev.berth.simulation.time;

/// The process that did this does not exist any more: unwinds what was under way in it.
public final class Killed extends Error {
  private static final long serialVersionUID = 1;

  Killed() {
    super("the simulated process was killed", null, false, false);
  }
}
