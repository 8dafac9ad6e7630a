package dev.berth.kube.loop;

/// An object as it was when an effect was decided on, carried along for the writes that depend on
/// it. It is no part of what the effect is: any two are equal, so that a loop still knows a failed
/// effect after the object was touched, and lets it pause ([Loop], promise 4).
public record Seen<T>(T object) {
  @Override
  public boolean equals(Object other) {
    return other instanceof Seen<?>;
  }

  @Override
  public int hashCode() {
    return 0;
  }
}
