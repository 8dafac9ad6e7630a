package dev.berth.driver.spi;

/// Whether a driver can work now: whether its back end answers, for example. However often it is
/// probed it is asked at most once in 5 s while it is ready, and once a second while it is not
/// (IDN-06); a probe waits for 3 s at most.
public sealed interface Readiness {
  record Ready() implements Readiness {}

  /// It is healthy and will be ready by itself.
  record Starting() implements Readiness {}

  /// Something is missing; whoever watches may start it anew.
  ///
  /// @param reason for people: what is missing, and the mend
  record Broken(String reason) implements Readiness {}
}
