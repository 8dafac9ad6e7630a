package dev.berth.simulation.driver;

import java.time.Duration;

/// How a driver misbehaves.
///
/// @param slowest longest time that a call takes on its way there, and again on its way back
/// @param refuses probability that a call fails before it changes anything
/// @param hangs probability that the caller gives up, while the operation takes effect after all
/// @param losesAnswers probability that a call took effect and its answer is lost
public record Flaws(Duration slowest, double refuses, double hangs, double losesAnswers) {
  public static final Flaws NONE = new Flaws(Duration.ofMillis(5), 0, 0, 0);
  public static final Flaws MANY = new Flaws(Duration.ofMillis(800), 0.08, 0.05, 0.08);
}
