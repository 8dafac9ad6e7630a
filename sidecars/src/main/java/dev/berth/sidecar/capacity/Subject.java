package dev.berth.sidecar.capacity;

import dev.berth.kube.object.ObjectKey;

/// What is decided about.
public sealed interface Subject {
  /// For what the driver has to be asked at all.
  record Everything() implements Subject {}

  /// One object for each slot.
  record OfSlot(Slot slot) implements Subject {}

  /// A slot in which a volume has come or gone.
  record OfChange(Slot slot) implements Subject {}

  /// An object of ours, which may be one too many.
  record OfObject(ObjectKey key) implements Subject {}
}
