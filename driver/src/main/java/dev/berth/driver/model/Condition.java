package dev.berth.driver.model;

/// Health of a volume, in words for people.
///
/// @param message never empty, also when all is well
public record Condition(boolean abnormal, String message) {
  public Condition {
    if (message.isBlank()) throw new IllegalArgumentException("a condition without words (CND-01)");
  }

  public static Condition healthy(String message) {
    return new Condition(false, message);
  }

  public static Condition abnormal(String message) {
    return new Condition(true, message);
  }
}
