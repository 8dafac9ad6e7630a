package dev.berth.linux.file;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.nio.file.Path;
import java.time.Duration;

/// A file system that holds still, for a cut through it in write order. Close it soon: every writer
/// waits. The process that froze may die; the file system then stays frozen until [#thaw].
///
/// Neither waits for a thread that others use: whoever syncs what is frozen has one until the thaw.
public final class Freeze implements AutoCloseable {
  private static final long FIFREEZE = 0xC0045877L;
  private static final long FITHAW = 0xC0045878L;

  private final Descriptor root;
  private final Path mountPoint;

  private Freeze(Descriptor root, Path mountPoint) {
    this.root = root;
    this.mountPoint = mountPoint;
  }

  /// Writes everything out and stops all writing to the file system mounted at `mountPoint`.
  /// Already frozen is `Failure.Busy`. After `Failure.TimedOut` it may still come to be frozen, and
  /// is thawed at once.
  public static Freeze of(Path mountPoint) {
    return of(mountPoint, Blocking.CHANGE);
  }

  static Freeze of(Path mountPoint, Duration deadline) {
    var attempt = "freeze " + mountPoint;
    return Blocking.callAlone(
        attempt,
        deadline,
        () -> {
          var root = Descriptor.open(mountPoint, Descriptor.O_RDONLY);
          long result = SystemCall.IOCTL.invoke(root.number(), FIFREEZE, 0);
          if (result >= 0) return new Freeze(root, mountPoint);
          root.close();
          throw new LinuxException(attempt, Failure.of(result));
        },
        Freeze::takeBack);
  }

  /// On a thread that may block.
  private void takeBack() {
    try (root) {
      SystemCall.IOCTL.invoke(root.number(), FITHAW, 0);
    }
  }

  /// Takes away a freeze that a dead process left behind. Not frozen is `Failure.Invalid`.
  public static void thaw(Path mountPoint) {
    thaw(mountPoint, Blocking.CHANGE);
  }

  static void thaw(Path mountPoint, Duration deadline) {
    var attempt = "thaw " + mountPoint;
    thaw(
        attempt,
        deadline,
        () -> {
          try (var root = Descriptor.open(mountPoint, Descriptor.O_RDONLY)) {
            SystemCall.IOCTL.orThrow(() -> attempt, root.number(), FITHAW, 0);
          }
        });
  }

  /// Where no thread is to be had, on the caller's: writers wait for this, and it for nobody.
  private static void thaw(String attempt, Duration deadline, Runnable thaw) {
    try {
      Blocking.runAlone(attempt, deadline, thaw);
    } catch (OutOfMemoryError _) {
      thaw.run();
    }
  }

  /// Lets writers go on. `Failure.Invalid`: somebody else has, earlier.
  @Override
  public void close() {
    close(Blocking.CHANGE);
  }

  void close(Duration deadline) {
    var attempt = "thaw " + mountPoint;
    try (root) {
      thaw(
          attempt,
          deadline,
          () -> SystemCall.IOCTL.orThrow(() -> attempt, root.number(), FITHAW, 0));
    }
  }
}
