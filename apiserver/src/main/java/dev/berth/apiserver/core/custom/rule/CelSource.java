package dev.berth.apiserver.core.custom.rule;

/// An expression in CEL that is to be compiled.
///
/// @param result what comes of it: a text, or whether a rule holds
/// @param optionalOld whether what the value was before is `oldSelf`, an optional
/// @param shape of the value, which is `self`
public record CelSource(String text, Result result, boolean optionalOld, CelShape shape) {
  /// What comes of an expression.
  public enum Result {
    TRUTH,
    TEXT
  }

  @Override
  public String toString() {
    return text;
  }
}
