package dev.berth.sidecar;

/// What keeps a sidecar of a driver, or a part of its work, from being done.
///
/// @param text which it is and why, for people
public record Trouble(Cause cause, Extent extent, String text) {
  public enum Cause {
    /// A mistake of ours.
    DEFECT,

    /// The API server does not let it, until somebody grants it.
    RIGHTS
  }

  public enum Extent {
    /// What the sidecar is for is not done.
    WHOLE,

    /// The rest of its work goes on.
    PART
  }
}
