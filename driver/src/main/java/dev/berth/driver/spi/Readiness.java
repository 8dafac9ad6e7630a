package dev.berth.driver.spi;

/// Whether a driver can work now; asked every few seconds, so it has to be cheap to say.
public sealed interface Readiness {
  record Ready() implements Readiness {}

  /// It is healthy and will be ready by itself.
  record Starting() implements Readiness {}

  /// Something is missing; whoever watches may start it anew.
  ///
  /// @param reason for people: what is missing, and the mend
  record Broken(String reason) implements Readiness {}
}
