package dev.berth.apiserver.core.custom;

import dev.cel.common.ast.CelExpr;
import dev.cel.runtime.CelEvaluationListener;
import java.util.Collection;
import java.util.Map;

/// What the rules of one object may cost together: whoever writes rules and objects must not hold
/// up all other writers (API-123).
final class CelBudget implements CelEvaluationListener {
  static final String SPENT =
      "validation failed due to running out of cost budget, no further validation rules will be"
          + " run";

  /// About two seconds.
  private static final long MOST_STEPS = 2_000_000;

  /// So much of a text or of a list is looked at in one step.
  private static final int AT_ONCE = 16;

  private long left = MOST_STEPS;

  private static final class SpentException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  boolean spent() {
    return left < 0;
  }

  /// One more step, which came to `result`.
  @Override
  public void callback(CelExpr step, Object result) {
    spend(1 + extent(result) / AT_ONCE);
  }

  /// @throws RuntimeException if there is not so much left
  void spend(long steps) {
    left -= steps;
    if (spent()) throw new SpentException();
  }

  private static long extent(Object result) {
    return switch (result) {
      case String text -> text.length();
      case Collection<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      default -> 0;
    };
  }
}
