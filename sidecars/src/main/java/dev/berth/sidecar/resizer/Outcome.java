package dev.berth.sidecar.resizer;

import dev.berth.csi.client.CsiException;

/// What a failure to make a volume larger means (RSZ-50).
enum Outcome {
  /// The driver may still be at work, or was not reached: only the same size again can tell.
  UNKNOWN,
  /// Nothing is under way; another attempt may go better.
  REFUSED,
  /// As [#REFUSED], because somebody uses the volume (RSZ-60).
  REFUSED_WHILE_USED,
  /// Nothing is under way, and the same size will be refused again.
  INFEASIBLE;

  static Outcome of(RuntimeException failure) {
    if (!(failure instanceof CsiException refusal)) return UNKNOWN;
    if (refusal.uncertainOrExhausted()) return UNKNOWN;
    return switch (refusal.code()) {
      case INVALID_ARGUMENT, OUT_OF_RANGE, NOT_FOUND -> INFEASIBLE;
      case FAILED_PRECONDITION -> REFUSED_WHILE_USED;
      default -> REFUSED;
    };
  }
}
