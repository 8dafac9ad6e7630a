package dev.berth.kube.loop;

/// One thing to do to the outside world: an API write, a CSI call, an event. A value: it says what,
/// not how. Doing it twice is the same as doing it once.
public interface Effect {
  /// What it shares with those that are the same thing done again: when one fails, these pause
  /// ([Loop], promise 4), and a few dozen in a row are taken for a circle (promise 5). Its kind;
  /// where one key has to see to many, also to whom it is done.
  default Object likeness() {
    return getClass();
  }
}
