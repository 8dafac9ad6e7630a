package dev.berth.kube.loop;

import java.time.Duration;
import java.util.Optional;

/// What becomes of a wait if nobody does anything (XPL-03).
public sealed interface Outlook {
  /// It ends by itself, or is as it should be.
  ///
  /// @param usual how long it lasts at most where all is well (XPL-30); empty: any time is usual
  record Passes(Optional<Duration> usual) implements Outlook {}

  /// It ends only by somebody's act.
  record Lasts() implements Outlook {}

  /// As [Lasts], and the obvious act can lose data.
  ///
  /// @param check what is at stake, and what to make sure of first
  record Endangers(String check) implements Outlook {}
}
