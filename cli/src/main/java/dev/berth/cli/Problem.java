package dev.berth.cli;

/// What went wrong, in one line for the person at the terminal: what, why, and what to do.
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int exitCode;

  public Problem(String message) {
    this(message, 1);
  }

  public Problem(String message, int exitCode) {
    super(message);
    this.exitCode = exitCode;
  }

  public int exitCode() {
    return exitCode;
  }
}
