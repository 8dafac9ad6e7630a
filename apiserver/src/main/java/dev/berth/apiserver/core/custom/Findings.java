package dev.berth.apiserver.core.custom;

import dev.berth.apiserver.core.field.FieldError;
import java.util.ArrayList;
import java.util.List;

/// What a check finds wrong with one object. A schema may say a thousand times what is wrong with a
/// value of megabytes: only so many errors are told, each with the beginning of the value, and the
/// check itself may only take so long (API-122).
final class Findings {
  static final int MOST = 100;

  /// Looks at a value, and characters that patterns go through: seconds, where it is all used.
  private static final long MOST_STEPS = 10_000_000;

  private final int most;
  private final Steps steps;
  private final List<FieldError> errors = new ArrayList<>();

  private static final class Steps {
    private long left = MOST_STEPS;
  }

  private Findings(int most, Steps steps) {
    this.most = most;
    this.steps = steps;
  }

  static Findings all() {
    return new Findings(MOST, new Steps());
  }

  /// For a question whose answer is whether anything is wrong. It takes its steps from these.
  Findings whether() {
    return new Findings(1, steps);
  }

  void add(FieldError error) {
    if (isFull()) return;
    errors.add(error.shortened());
  }

  /// Takes steps; who has none left stops with an error.
  void spend(long count, String path) {
    if (steps.left < 0) return;
    steps.left -= count;
    if (steps.left >= 0) return;
    errors.add(
        FieldError.invalid(
                path.isEmpty() ? "<nil>" : path,
                "\"\"",
                "the object is too large for all that its schema asks to be checked; make it"
                    + " smaller, or the schema simpler")
            .shortened());
  }

  boolean isEmpty() {
    return errors.isEmpty();
  }

  /// Whether there is no need to look for more.
  boolean isFull() {
    return errors.size() >= most || steps.left < 0;
  }

  List<FieldError> errors() {
    return List.copyOf(errors);
  }
}
