package dev.berth.kube.loop;

import java.util.Optional;

/// Carry out this one effect now, then decide again.
///
/// @param effect what to do
/// @param then what will be waited for after it, if the effect only writes down that wait; empty:
///   the effect moves things on
public record Act(Effect effect, Optional<Wait> then) implements Step {
  public Act(Effect effect) {
    this(effect, Optional.empty());
  }

  public Act then(Wait wait) {
    return new Act(effect, Optional.of(wait));
  }
}
