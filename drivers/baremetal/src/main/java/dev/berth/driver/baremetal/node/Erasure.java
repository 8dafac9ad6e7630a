package dev.berth.driver.baremetal.node;

import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.file.Zeros;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/// Makes zeros of all of a device, piece by piece (BM-119): by the drive, if it promises that what
/// it discards reads as zeros; else by writing them, which takes a day for a large disk. Whoever is
/// killed on the way is followed by one who goes on where it was.
///
/// @param progress how far it has come, where it outlives this process
/// @param period between two notes of that
/// @param ending whether it is to be broken off, for who comes next
record Erasure(Path device, Progress progress, Duration period, BooleanSupplier ending) {
  private static final long DISCARDED_AT_ONCE = 1L << 30;
  private static final long WRITTEN_AT_ONCE = 64L << 20;

  /// What is read of the beginning of what is said to be wiped: whoever uses a disk leaves a sign
  /// there, be it a table or a file system.
  private static final long LEAD = 1L << 20;

  /// What is read of the rest of it, here and there.
  private static final long SAMPLE = 64 * 1024;

  private static final int SAMPLES = 16;

  /// How far a wipe has come.
  interface Progress {
    /// It is kept nowhere.
    Progress UNTOLD =
        new Progress() {
          @Override
          public long done() {
            return 0;
          }

          @Override
          public void note(long bytes) {}
        };

    /// How many bytes from the beginning are zeros, as was noted last.
    long done();

    /// Notes that so many are, on the medium.
    void note(long bytes);

    /// What was noted as zeros is none any more: the wipe begins anew.
    ///
    /// @throws Touched it must not, as what is there is not what it was for
    default void lost() throws Touched {}
  }

  /// Somebody has written to a drive since its wipe was broken off.
  static final class Touched extends IOException {
    private static final long serialVersionUID = 1;

    Touched(String drive) {
      super("somebody has written to drive %s since its wipe was broken off".formatted(drive));
    }
  }

  void run() throws IOException {
    run(from());
  }

  /// @param from as [#from] has said
  void run(long from) throws InterruptedIOException {
    long size = BlockDevice.size(device);
    long noted = System.nanoTime();
    boolean discards = true;
    for (long at = from; at < size; ) {
      if (ending.getAsBoolean())
        throw new InterruptedIOException(
            "the wipe of %s is broken off at byte %d, for the next driver".formatted(device, at));
      if (System.nanoTime() - noted >= period.toNanos()) {
        progress.note(at);
        noted = System.nanoTime();
      }
      long end = Math.min(size, at + (discards ? DISCARDED_AT_ONCE : WRITTEN_AT_ONCE));
      if (!discards) Zeros.write(device, at, end);
      else if (!Zeros.discard(device, at, end)) {
        discards = false;
        continue;
      }
      at = end;
    }
    // who is killed before it is written what this was for is followed by one who need not wipe
    progress.note(size);
  }

  /// Where to go on. Whoever had the drive meanwhile may have written to it: what is said to be
  /// zeros is looked at here and there.
  long from() throws Touched {
    long done = progress.done();
    if (done == 0 || isZeros(done)) return done;
    progress.lost();
    return 0;
  }

  private boolean isZeros(long done) {
    if (done < SAMPLE || done > BlockDevice.size(device)) return false;
    if (!Zeros.isAll(device, 0, Math.min(done, LEAD))) return false;
    for (int i = 0; i < SAMPLES; i++) {
      long at = i == 0 ? done - SAMPLE : ThreadLocalRandom.current().nextLong(done - SAMPLE + 1);
      if (!Zeros.isAll(device, at, at + SAMPLE)) return false;
    }
    return true;
  }
}
