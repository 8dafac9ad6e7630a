package dev.berth.driver.disk.fsck;

/// Something that is not as it should be.
///
/// @param where a file below the pool's folder, an entry of the ledger, a device or a mount
/// @param what is wrong with it
/// @param mend what to do, or what happens by itself
public record Finding(Weight weight, String where, String what, String mend) {
  /// Whether somebody has to act.
  public enum Weight {
    /// Accounted for: left of a call that was cut off, and gone once the driver goes on.
    LEFT_OVER,
    /// It stays so until somebody mends it.
    WRONG
  }

  static Finding wrong(String where, String what, String mend) {
    return new Finding(Weight.WRONG, where, what, mend);
  }

  static Finding leftOver(String where, String what, String mend) {
    return new Finding(Weight.LEFT_OVER, where, what, mend);
  }

  /// The same while the ledger is broken: nobody goes on before it is mended.
  Finding heldUp() {
    return weight == Weight.WRONG ? this : wrong(where, what, "mend the ledger first");
  }
}
