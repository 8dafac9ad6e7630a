package dev.berth.sidecar.source;

/// A volume cannot be filled from what its claim names, or not yet.
public final class UnusableSource extends RuntimeException {
  private static final long serialVersionUID = 1;

  /// @param why as a sentence for people
  public UnusableSource(String why) {
    super(why);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
