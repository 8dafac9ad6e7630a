package dev.berth.linux.check;

/// Something that is wrong with a mounted file system. What it says stays the same as long as it is
/// so: no counters, no times (BM-198).
///
/// @param weight how bad it is
/// @param reason for programs, in CamelCase
/// @param message for people
public record Finding(Weight weight, String reason, String message) {
  /// How bad it is, the worst last.
  public enum Weight {
    /// It can be read, and perhaps written to.
    DAMAGED,
    /// Nobody can work with it.
    DEAD
  }
}
