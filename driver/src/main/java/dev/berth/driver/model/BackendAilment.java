package dev.berth.driver.model;

import java.util.Optional;

/// One thing that is wrong with the storage behind a node, whichever volume it is about.
///
/// @param ailment its kind says how far it reaches: [Ailment.Kind#DEGRADED] or
///   [Ailment.Kind#INACCESSIBLE]
/// @param usage whom it concerns; empty: every use
public record BackendAilment(Ailment ailment, Optional<Usage> usage) {
  public BackendAilment {
    if (ailment.kind() == Ailment.Kind.DATA_LOSS)
      throw new IllegalArgumentException("volumes lose data, not what is behind them: " + ailment);
  }

  public static BackendAilment degraded(String reason, String message) {
    return new BackendAilment(
        new Ailment(Ailment.Kind.DEGRADED, reason, message), Optional.empty());
  }

  public static BackendAilment unreachable(String reason, String message) {
    return new BackendAilment(
        new Ailment(Ailment.Kind.INACCESSIBLE, reason, message), Optional.empty());
  }
}
