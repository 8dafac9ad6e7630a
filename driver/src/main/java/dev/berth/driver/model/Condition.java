package dev.berth.driver.model;

import java.util.List;
import java.util.stream.Collectors;

/// Health of a volume. From one condition callers by CSI 1.12 get VolumeCondition, callers by 1.13
/// VolumeHealth (VH-07).
///
/// @param ailments what is wrong with it, no kind and reason twice; empty: nothing that is known
/// @param message for people; never empty, also when all is well
public record Condition(List<Ailment> ailments, String message) {
  public Condition {
    ailments = List.copyOf(ailments);
    if (message.isBlank()) throw new IllegalArgumentException("a condition without words (CND-01)");
    var different = ailments.stream().map(it -> it.kind() + " " + it.reason()).distinct().count();
    if (different < ailments.size())
      throw new IllegalArgumentException("one ailment twice: " + ailments);
  }

  public static Condition healthy(String message) {
    return new Condition(List.of(), message);
  }

  /// With one thing that is wrong.
  public static Condition abnormal(Ailment.Kind kind, String reason, String message) {
    return of(List.of(new Ailment(kind, reason, message)));
  }

  /// With several things that are wrong.
  ///
  /// @param ailments at least one
  public static Condition of(List<Ailment> ailments) {
    return new Condition(
        ailments, ailments.stream().map(Ailment::message).collect(Collectors.joining("; ")));
  }

  public boolean abnormal() {
    return !ailments.isEmpty();
  }
}
