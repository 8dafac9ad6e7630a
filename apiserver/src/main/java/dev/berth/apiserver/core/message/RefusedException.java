package dev.berth.apiserver.core.message;

/// Ends the work on a request that is refused, before or inside the state machine. Has no stack
/// trace, since a refusal is nothing out of the ordinary.
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Refusal refusal;

  public RefusedException(Refusal refusal) {
    super(refusal.message(), null, false, false);
    this.refusal = refusal;
  }

  public Refusal refusal() {
    return refusal;
  }
}
