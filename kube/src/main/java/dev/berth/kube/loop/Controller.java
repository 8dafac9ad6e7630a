package dev.berth.kube.loop;

/// A decider together with what carries out its effects: all that a [Loop] needs to run it.
public record Controller<K, V, E extends Effect>(
    Decider<K, V, E> decider, Effects<? super E> effects) {
  /// @throws IllegalStateException if the decision came to an effect that is none of its own
  void check(Effect effect) {
    if (!decider.effectType().isInstance(effect))
      throw new IllegalStateException(
          "%s asks for %s, which is no %s"
              .formatted(decider.name(), effect, decider.effectType().getSimpleName()));
  }

  void carryOut(Effect effect) throws Exception {
    effects.carryOut(decider.effectType().cast(effect));
  }
}
