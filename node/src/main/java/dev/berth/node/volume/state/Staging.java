package dev.berth.node.volume.state;

/// What we know of a volume's staging mount here (NVM-09, NVM-10). No mount is there unannounced.
public sealed interface Staging {
  Absent ABSENT = new Absent();

  /// Out of these the volume can be staged.
  sealed interface Stageable extends Staging {
    /// The driver is about to be asked.
    Uncertain announce();

    /// The driver does not stage: nothing to do, nothing to undo.
    default Skipped skip() {
      return new Skipped();
    }
  }

  /// Out of these it can be unstaged.
  sealed interface Unstageable extends Staging {
    /// The driver is about to be asked to undo it.
    Uncertain undo();
  }

  /// Nothing is staged.
  record Absent() implements Stageable {
    @Override
    public Uncertain announce() {
      return new Uncertain(false);
    }
  }

  /// The driver has no staging: ready to publish, and nothing to undo.
  record Skipped() implements Staging {}

  /// A call has begun and has not ended well, or we came too late to know.
  ///
  /// @param found on disk at the agent's start: a refusal then proves nothing about the mount that
  ///   an earlier process made
  record Uncertain(boolean found) implements Stageable, Unstageable {
    @Override
    public Uncertain announce() {
      return this;
    }

    @Override
    public Uncertain undo() {
      return this;
    }

    /// The driver has staged it.
    public Present confirm() {
      return new Present();
    }

    /// The driver's final refusal: nothing came of our call (table 6b).
    public Staging refute() {
      return found ? this : ABSENT;
    }

    /// The driver has undone it.
    public Absent gone() {
      return ABSENT;
    }
  }

  /// The driver has staged it.
  record Present() implements Unstageable {
    @Override
    public Uncertain undo() {
      return new Uncertain(true);
    }
  }
}
