package dev.berth.driver.spi;

/// Whether a driver can work now: whether its back end answers, for example. However often it is
/// probed it is asked again at the earliest 5 s after it said that it is ready, and 1 s after it
/// said anything else, by one thread at a time (IDN-06).
///
/// It may take its time: a probe waits for its own deadline, and for 3 s at most. A driver that was
/// ready counts as ready for 30 s more while it has not answered again.
public sealed interface Readiness {
  record Ready() implements Readiness {}

  /// It is healthy and will be ready by itself.
  record Starting() implements Readiness {}

  /// Something is missing; whoever watches may start it anew.
  ///
  /// @param reason for people: what is missing, and the mend
  record Broken(String reason) implements Readiness {}
}
