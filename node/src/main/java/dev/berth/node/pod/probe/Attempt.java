package dev.berth.node.pod.probe;

/// How a try went.
///
/// @param said what came back, or why nothing did, for people; cut to what an event holds
public record Attempt(Outcome outcome, String said) {
  private static final int MOST = 1024;

  /// What is known after it.
  public enum Outcome {
    SUCCEEDED,
    FAILED,

    /// Nothing of the container: it was not asked, as who runs it could not be.
    UNKNOWN
  }

  public Attempt {
    if (said.length() > MOST) said = said.substring(0, MOST);
  }

  static Attempt success() {
    return new Attempt(Outcome.SUCCEEDED, "");
  }

  /// Of the container.
  static Attempt failure(String said) {
    return new Attempt(Outcome.FAILED, said);
  }

  /// Of whoever was to ask it.
  public static Attempt unknown(Exception why) {
    return new Attempt(Outcome.UNKNOWN, String.valueOf(why.getMessage()));
  }

  public boolean succeeded() {
    return outcome == Outcome.SUCCEEDED;
  }
}
