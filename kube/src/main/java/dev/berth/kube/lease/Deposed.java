package dev.berth.kube.lease;

/// Something was not begun, as the Lease that allows it is no longer held (ONE-19). Nobody refused
/// it, and nobody is told of it.
public final class Deposed extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// @param what was not begun, as the beginning of a sentence
  public Deposed(String what) {
    super(what + " is not begun: the Lease is no longer held");
  }
}
