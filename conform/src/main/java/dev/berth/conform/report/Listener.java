package dev.berth.conform.report;

import dev.berth.conform.check.Check;
import dev.berth.conform.check.Result;

/// Follows a run while it goes on.
public interface Listener {
  /// The driver has told who it is.
  ///
  /// @param driver name and version
  /// @param checks how many there will be
  default void begins(String driver, int checks) {}

  default void begins(Check check) {}

  default void done(Result result) {}

  default void ends(Report report) {}
}
