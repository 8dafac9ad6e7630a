package dev.berth.node.volume.state;

import java.util.Optional;

/// What we know of a volume's staging mount here (NVM-09, NVM-10). No mount is there unannounced.
///
/// It has one group for all pods: the `volume_mount_group` that was told to the driver, which has
/// to be the same in all calls about the volume (NCSI-13); an empty text where none was told.
public sealed interface Staging {
  Absent ABSENT = new Absent();

  /// Out of these the volume can be staged.
  sealed interface Stageable extends Staging {
    /// The driver is about to be asked.
    Uncertain announce(String group);

    /// The group that was announced before; empty: none was, or it is not known.
    default Optional<String> group() {
      return Optional.empty();
    }

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
    public Uncertain announce(String group) {
      return new Uncertain(false, Optional.of(group));
    }
  }

  /// The driver has no staging: ready to publish, and nothing to undo.
  record Skipped() implements Staging {}

  /// A call has begun and has not ended well, or we came too late to know.
  ///
  /// @param found whether a mount may be there that our own latest call has not made, but an
  ///   earlier one or an earlier process: a refusal of that call then proves nothing
  /// @param group that was told to the driver; empty: it is not known
  record Uncertain(boolean found, Optional<String> group) implements Stageable, Unstageable {
    /// The call before may take effect later than we have waited for it (stricter than table 6b).
    @Override
    public Uncertain announce(String next) {
      return new Uncertain(true, Optional.of(next));
    }

    @Override
    public Uncertain undo() {
      return new Uncertain(true, group);
    }

    /// The driver has staged it.
    public Present confirm() {
      return new Present(group.orElse(""));
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
  ///
  /// @param group that was told to it; an empty text: none
  record Present(String group) implements Unstageable {
    @Override
    public Uncertain undo() {
      return new Uncertain(true, Optional.of(group));
    }
  }
}
