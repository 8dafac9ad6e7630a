package dev.berth.node.volume.state;

import java.time.Instant;
import java.util.Optional;

/// What we know of a volume's mount for one pod; that there is none is told by its absence from
/// [VolumeState#publications].
public sealed interface Publication {
  /// Name of the PersistentVolume that the mount's path is made of.
  String spec();

  /// The driver is about to be asked to undo it.
  Uncertain undo();

  /// The driver has published it and its contents belong to whom they should.
  ///
  /// @param at when it did so last
  record Present(String spec, Instant at) implements Publication {
    @Override
    public Uncertain undo() {
      return new Uncertain(spec, true);
    }
  }

  /// A call has begun and has not ended well, or we came too late to know.
  ///
  /// @param found whether a mount may be there that our own latest call has not made, so that a
  ///   refusal of that call proves nothing
  record Uncertain(String spec, boolean found) implements Publication {
    @Override
    public Uncertain undo() {
      return new Uncertain(spec, true);
    }

    /// Another call to the driver begins. Its refusal proves nothing of the one before, which may
    /// take effect later than we have waited for it (stricter than table 6b).
    public Uncertain again() {
      return new Uncertain(spec, true);
    }

    /// The driver has published it.
    public Present confirm(Instant now) {
      return new Present(spec, now);
    }

    /// The driver's final refusal: nothing came of our call (table 6b). Empty: there is no mount.
    public Optional<Publication> refute() {
      return found ? Optional.of(this) : Optional.empty();
    }
  }

  /// A call to the driver begins for a pod that has no mount yet.
  static Uncertain announce(String spec) {
    return new Uncertain(spec, false);
  }
}
