package dev.berth.cli.controllers;

/// What one look at somebody has shown who may act beside us.
sealed interface Sight {
  /// It acts, or we are not allowed to see whether it does.
  ///
  /// @param why what to tell, with what helps
  record Acts(String why) implements Sight {}

  /// It has done nothing since the last look that showed anything.
  record Silent() implements Sight {}

  /// This look has shown nothing: not that it acts, and not that it does not.
  ///
  /// @param why what to tell
  record Unseen(String why) implements Sight {}
}
