package dev.berth.sidecar.modifier;

import dev.berth.kube.loop.Pace;
import java.time.Duration;

/// How the modifier works; defaults are upstream's.
///
/// @param gate whether claims are looked at at all: the gate `VolumeAttributesClass`
/// @param timeout how long one call to the driver may take
/// @param pace how often failures are tried again, and how many claims are worked on at once
/// @param slow how long parameters that the driver cannot accept are left alone (RSZ-53)
/// @param names whether the driver is told the names of claim and volume (RSZ-84)
public record ModifierOptions(Gate gate, Duration timeout, Pace pace, Duration slow, Names names) {
  /// A feature gate.
  public enum Gate {
    ON,
    OFF
  }

  /// What the driver is told besides the parameters: `--extra-modify-metadata`.
  public enum Names {
    KEPT,
    TOLD
  }

  public static final ModifierOptions DEFAULT =
      new ModifierOptions(
          Gate.ON,
          Duration.ofSeconds(10),
          Pace.SIDECAR.parallel(10),
          Duration.ofMinutes(5),
          Names.KEPT);
}
