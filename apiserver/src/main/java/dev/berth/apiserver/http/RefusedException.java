package dev.berth.apiserver.http;

import dev.berth.apiserver.core.Refusal;

/// Ends a request with a refusal, from wherever it was found out.
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
