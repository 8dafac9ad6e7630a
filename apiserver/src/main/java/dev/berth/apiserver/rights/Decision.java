package dev.berth.apiserver.rights;

/// Whether somebody may do something.
///
/// @param reason why, or why perhaps not; may be empty
public record Decision(boolean allowed, String reason) {
  public static final Decision NO_OPINION = new Decision(false, "");

  public static Decision allowed(String reason) {
    return new Decision(true, reason);
  }

  public static Decision refused(String reason) {
    return new Decision(false, reason);
  }
}
