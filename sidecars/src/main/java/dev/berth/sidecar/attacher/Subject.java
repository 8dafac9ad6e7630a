package dev.berth.sidecar.attacher;

import dev.berth.kube.object.ObjectKey;

/// What the attacher decides about.
public sealed interface Subject {
  /// A VolumeAttachment.
  record OfAttachment(ObjectKey key) implements Subject {
    @Override
    public String toString() {
      return "volumeattachment/" + key;
    }
  }

  /// A PersistentVolume that carries our finalizer.
  record OfVolume(ObjectKey key) implements Subject {
    @Override
    public String toString() {
      return "persistentvolume/" + key;
    }
  }

  /// All volumes of the driver, where it lists them.
  record OfListing() implements Subject {
    @Override
    public String toString() {
      return "volumes as the driver lists them";
    }
  }

  static Subject attachment(String name) {
    return new OfAttachment(ObjectKey.cluster(name));
  }

  static Subject volume(String name) {
    return new OfVolume(ObjectKey.cluster(name));
  }
}
