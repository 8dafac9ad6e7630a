package dev.berth.apiserver.core.admission;

/// One of upstream's admission plugins.
interface Plugin {
  /// Completes the object, before it is checked.
  default void complete(Attempt attempt) {}

  /// Refuses the object, once it was found right by itself.
  default void validate(Attempt attempt) {}
}
