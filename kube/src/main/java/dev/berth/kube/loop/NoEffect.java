package dev.berth.kube.loop;

/// What a decider asks for that acts on nothing: there is none of it.
public final class NoEffect implements Effect {
  private NoEffect() {}

  /// Those of a decider that acts on nothing.
  public static Effects<NoEffect> effects() {
    return effect -> {
      throw new IllegalStateException("there is no " + effect);
    };
  }
}
