package dev.berth.driver.model;

import java.util.regex.Pattern;

/// One thing that is wrong with a volume.
///
/// @param kind what it means for whoever uses the volume
/// @param reason for programs, in CamelCase and at most 128 characters; with `kind` it says which
///   ailment this is
/// @param message for people; never empty
public record Ailment(Kind kind, String reason, String message) {
  private static final Pattern REASON = Pattern.compile("[A-Z][A-Za-z0-9]{0,127}");

  /// What it means for whoever uses the volume; the worst last.
  public enum Kind {
    /// It works, but not as well as it should.
    DEGRADED,
    /// Nobody gets at it; from a node: nobody there.
    INACCESSIBLE,
    /// Some of its data is gone for good, or probably is.
    DATA_LOSS
  }

  public Ailment {
    if (!REASON.matcher(reason).matches())
      throw new IllegalArgumentException("a reason is a word such as DriveSlow, not " + reason);
    if (message.isBlank()) throw new IllegalArgumentException(reason + " without words (CND-01)");
  }
}
