package dev.berth.linux.check;

/// Whether a check that may fail by accident counts as failed (BM-198): ill after two of the last
/// three, well again after two good ones in a row.
///
/// @param history the last three checks as bits, the latest the lowest; 1: it failed
/// @param ill what they come to
record Damped(int history, boolean ill) {
  private static final int LAST_THREE = 0b111;
  private static final int LAST_TWO = 0b11;
  private static final int ENOUGH = 2;

  static final Damped NONE = new Damped(0, false);

  Damped after(boolean failed) {
    int next = (history << 1 | (failed ? 1 : 0)) & LAST_THREE;
    if (Integer.bitCount(next) >= ENOUGH && failed) return new Damped(next, true);
    return new Damped(next, ill && (next & LAST_TWO) != 0);
  }

  /// Whether one more check would tell more: it is worth while not to wait for its turn.
  boolean unsure() {
    return ill ? (history & 1) == 0 : (history & 1) == 1;
  }
}
