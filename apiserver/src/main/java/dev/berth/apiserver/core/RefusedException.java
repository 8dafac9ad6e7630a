package dev.berth.apiserver.core;

/// Ends the work on a request that is refused; [Core] turns it into an answer. Has no stack trace,
/// since a refusal is nothing out of the ordinary.
final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Refusal refusal;

  RefusedException(Refusal refusal) {
    super(refusal.message(), null, false, false);
    this.refusal = refusal;
  }

  Refusal refusal() {
    return refusal;
  }
}
