package dev.berth.node.volume;

import java.time.Duration;

/// Hears of all that is done about volumes on a node, by the names that a kubelet's metrics have
/// for it (NVM-20).
@FunctionalInterface
public interface Operations {
  /// To whom nobody listens.
  Operations UNHEARD = (_, _, _, _) -> {};

  /// What came of it.
  enum Outcome {
    DONE("success"),
    FAILED("fail-unknown");

    private final String text;

    Outcome(String text) {
      this.text = text;
    }

    /// As the metric's label has it.
    public String text() {
      return text;
    }
  }

  /// @param driver whose volume it is
  /// @param operation such as `volume_mount`
  void over(String driver, String operation, Outcome outcome, Duration took);
}
