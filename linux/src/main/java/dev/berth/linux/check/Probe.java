package dev.berth.linux.check;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.linux.check.Finding.Weight;
import dev.berth.linux.check.MountedCheck.Wanted;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// Uses a volume a little, to see whether it can be used (BM-195). On a file system that is to be
/// written to: a block is written to a file that never has a name, so that no user sees it and
/// nothing is left of it whatever happens, and is synced. Of every device: a block anywhere is
/// read, past all caches.
///
/// Blocks for as long as the volume does: on a thread of [VolumeWatch] only.
final class Probe {
  /// No file system here has larger sectors.
  private static final int BLOCK = 4096;

  private static final long O_TMPFILE = 0x400000 | Descriptor.O_DIRECTORY;
  private static final long O_DIRECT =
      System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;
  private static final long SEEK_END = 2;
  private static final long OWNER_ONLY = 0600;

  /// What can be told shorter reaches no medium, nor does what is there already.
  private static final byte[] NOISE = noise();

  private Probe() {}

  private static byte[] noise() {
    var noise = new byte[BLOCK];
    ThreadLocalRandom.current().nextBytes(noise);
    return noise;
  }

  /// What came of it.
  sealed interface Outcome {
    /// It works, or is full, which is no illness.
    record Sound() implements Outcome {}

    /// It does not work.
    record Failed(List<Finding> findings) implements Outcome {
      public Failed {
        findings = List.copyOf(findings);
      }
    }

    /// It was not tried: this process has no memory or descriptors left, or the volume is not there
    /// any more.
    record NotTried() implements Outcome {}
  }

  static Outcome run(Watched volume) {
    var found = new ArrayList<Finding>();
    boolean tried = false;
    if (volume.place().isPresent() && volume.wanted() == Wanted.WRITABLE) {
      long result = write(volume.place().get());
      tried |= result >= 0 || !isOurs(result);
      written(result).ifPresent(found::add);
    }
    long result = read(volume.device());
    tried |= result >= 0 || !isOurs(result);
    read(result).ifPresent(found::add);
    if (!found.isEmpty()) return new Outcome.Failed(found);
    return tried ? new Outcome.Sound() : new Outcome.NotTried();
  }

  /// Past the page cache where the file system can: that is what it costs least, and it is the
  /// drive that is asked.
  ///
  /// @return below 0: the negated error number
  private static long write(Path place) {
    long result = write(place, O_DIRECT);
    return Errno.of(result) == Errno.EINVAL ? write(place, 0) : result;
  }

  private static long write(Path place, long flags) {
    try (var arena = Arena.ofConfined()) {
      long opened =
          SystemCall.OPENAT.invoke(
              SystemCall.AT_FDCWD,
              arena.allocateFrom(place.toString()).address(),
              O_TMPFILE | Descriptor.O_RDWR | Descriptor.O_CLOEXEC | flags,
              OWNER_ONLY);
      var errno = Errno.of(opened);
      if (errno == Errno.ENOSPC || errno == Errno.EDQUOT) return sync(place);
      if (opened < 0) return opened;
      try (var file = new Descriptor(opened)) {
        var block = arena.allocate(BLOCK, BLOCK);
        MemorySegment.copy(NOISE, 0, block, JAVA_BYTE, 0, BLOCK);
        block.set(JAVA_LONG, 0, ThreadLocalRandom.current().nextLong());
        long written = SystemCall.WRITE.invoke(file.number(), block.address(), BLOCK);
        return written < 0 ? written : SystemCall.FSYNC.invoke(file.number());
      }
    }
  }

  /// What can still be tried of a full one.
  private static long sync(Path place) {
    long opened = Descriptor.tryOpen(place, Descriptor.O_RDONLY | Descriptor.O_DIRECTORY);
    if (opened < 0) return opened;
    try (var folder = new Descriptor(opened)) {
      return SystemCall.FSYNC.invoke(folder.number());
    }
  }

  private static Optional<Finding> written(long result) {
    if (result >= 0 || isOurs(result)) return Optional.empty();
    return switch (Errno.of(result)) {
      case ENOSPC, EDQUOT, EOPNOTSUPP, EISDIR -> Optional.empty();
      case EROFS -> Optional.of(MountedCheck.BECAME_READ_ONLY);
      case EUCLEAN, EBADMSG ->
          Optional.of(
              new Finding(
                  Weight.DAMAGED,
                  "FileSystemErrors",
                  "the file system is damaged; unmount it and have it checked"));
      default ->
          Optional.of(
              new Finding(
                  Weight.DAMAGED,
                  "WritesFail",
                  "what is written does not reach the drive: %s"
                      .formatted(Errno.of(result).meaning())));
    };
  }

  private static long read(Path device) {
    long opened = Descriptor.tryOpen(device, Descriptor.O_RDONLY | O_DIRECT);
    if (opened < 0) return opened;
    try (var open = new Descriptor(opened);
        var arena = Arena.ofConfined()) {
      long blocks = SystemCall.LSEEK.invoke(open.number(), 0, SEEK_END) / BLOCK;
      if (blocks <= 0) return 0;
      long at = ThreadLocalRandom.current().nextLong(blocks) * BLOCK;
      MemorySegment block = arena.allocate(JAVA_BYTE, 2 * BLOCK);
      long aligned = (block.address() + BLOCK - 1) / BLOCK * BLOCK;
      return SystemCall.PREAD64.invoke(open.number(), aligned, BLOCK, at);
    }
  }

  private static Optional<Finding> read(long result) {
    if (result >= 0 || isOurs(result)) return Optional.empty();
    return switch (Errno.of(result)) {
      case ENXIO, ENODEV, ENOENT -> Optional.of(MountedCheck.DEVICE_GONE);
      default ->
          Optional.of(
              new Finding(
                  Weight.DAMAGED,
                  "ReadsFail",
                  "the drive cannot be read: %s".formatted(Errno.of(result).meaning())));
    };
  }

  /// Whether it says nothing of the volume.
  private static boolean isOurs(long result) {
    return switch (Errno.of(result)) {
      case EMFILE, ENFILE, ENOMEM, EPERM, EACCES, EINVAL, EFAULT, ENOTDIR -> true;
      default -> false;
    };
  }
}
