package dev.berth.node.volume.state;

/// What we know of a volume's staging mount here (NVM-09, NVM-10). No mount is there unannounced.
public sealed interface Staging {
  Absent ABSENT = new Absent();

  /// Nothing is staged.
  record Absent() implements Staging {
    /// The driver is about to be asked.
    public Uncertain announce() {
      return new Uncertain(false);
    }

    /// The driver does not stage: nothing to do, nothing to undo.
    public Skipped skip() {
      return new Skipped();
    }
  }

  /// The driver has no staging: ready to publish, and nothing to undo.
  record Skipped() implements Staging {}

  /// A call has begun and has not ended well, or we came too late to know.
  ///
  /// @param found on disk at the agent's start: a refusal then proves nothing about the mount that
  ///   an earlier process made
  record Uncertain(boolean found) implements Staging {
    public Present confirm() {
      return new Present();
    }

    /// The driver's final refusal: nothing came of our call (table 6b).
    public Staging refute() {
      return found ? this : ABSENT;
    }
  }

  /// The driver has staged it.
  record Present() implements Staging {
    /// The driver is about to be asked to undo it.
    public Uncertain undo() {
      return new Uncertain(true);
    }
  }
}
