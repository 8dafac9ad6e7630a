package dev.berth.cli;

/// What went wrong, in one line for the person at the terminal: what, why, and what to do.
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private static final int MISUNDERSTOOD = 2;

  private final int exitCode;

  public Problem(String message) {
    this(message, 1);
  }

  public Problem(String message, int exitCode) {
    super(message);
    this.exitCode = exitCode;
  }

  /// Of a command line that cannot be: nothing was tried. One rule for all commands; explain alone
  /// has a 2 of its own.
  public static Problem ofCommandLine(String message) {
    return new Problem(message, MISUNDERSTOOD);
  }

  public int exitCode() {
    return exitCode;
  }
}
