package dev.berth.conform.check;

import dev.berth.conform.trial.Exchange;
import java.util.List;

/// What came of a check.
public sealed interface Outcome {
  record Passed() implements Outcome {}

  /// It was not made, or could not tell.
  ///
  /// @param reason why it says nothing about this driver
  record Skipped(String reason) implements Outcome {}

  /// The driver does something else.
  ///
  /// @param expected what the specification asks for
  /// @param found what there was instead
  /// @param exchanges the last calls, oldest first
  record Failed(String expected, String found, List<Exchange> exchanges) implements Outcome {
    public Failed {
      exchanges = List.copyOf(exchanges);
    }
  }
}
