package dev.berth.kube.loop;

import java.util.function.Function;

/// An entry of a room's list of deciders, which whoever acts and whoever explains both read: so one
/// that acts and cannot be asked does not exist.
///
/// @param <M> the means to act: the API, recorders, calls
/// @param effects what carries out its effects by such means
public record Concern<M, K, V, E extends Effect>(
    Role role, Decider<K, V, E> decider, Function<? super M, Effects<? super E>> effects) {
  /// One that only waits and tells.
  public static <M, K, V> Concern<M, K, V, NoEffect> silent(
      Role role, Decider<K, V, NoEffect> decider) {
    return new Concern<>(role, decider, _ -> NoEffect.effects());
  }

  /// To be run in a [Loop].
  public Controller<K, V, E> controller(M means) {
    return new Controller<>(decider, effects.apply(means));
  }
}
