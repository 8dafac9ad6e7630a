package dev.berth.linux.file;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.OneAsker;
import dev.berth.linux.sys.SystemCall;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Questions to a block device.
public final class BlockDevice {
  private static final long BLKGETSIZE64 = 0x80081272L;
  private static final long BLKROSET = 0x125D;
  private static final Path BY_NUMBER = Path.of("/sys/dev/block");
  private static final long O_EXCL = 0x80;

  /// Every signature that matters is nearer than this to one of the ends (btrfs: 64 KiB).
  private static final long SIGNATURES = 128 * 1024;

  /// A disk that is dead keeps one thread, and not one for each look at it.
  private static final OneAsker<Path> READING = new OneAsker<>();

  private BlockDevice() {}

  /// Its size in bytes.
  public static long size(Path device) {
    var attempt = "ask for the size of " + device;
    return Blocking.call(
        attempt,
        Blocking.LOOK,
        () -> {
          try (var open = Descriptor.open(device, Descriptor.O_RDONLY);
              var arena = Arena.ofConfined()) {
            var size = arena.allocate(8, 8);
            SystemCall.IOCTL.orThrow(() -> attempt, open.number(), BLKGETSIZE64, size.address());
            return size.get(JAVA_LONG, 0);
          }
        });
  }

  /// Has it open until what is returned is closed: the kernel gives its name to no other device
  /// meanwhile, also if it is pulled. Keeps nobody else from anything but taking it down.
  public static Descriptor hold(Path device) {
    return Blocking.call(
        "open " + device,
        Blocking.LOOK,
        () -> Descriptor.open(device, Descriptor.O_RDONLY),
        Descriptor::close);
  }

  /// Reads the parts of a device where signatures stand, its beginning and its end.
  ///
  /// @throws LinuxException if any of it cannot be read, or the device has no size; at once if an
  ///   earlier look at it has not come back ([#isOverdue])
  public static void assertReadable(Path device) {
    var attempt = "read " + device;
    Boolean _ =
        READING.call(
            device,
            attempt,
            Blocking.LOOK,
            () -> {
              try (var channel = FileChannel.open(device)) {
                long size = channel.size();
                if (size == 0)
                  throw new LinuxException(attempt, new Failure.DeviceGone(Errno.ENXIO));
                readWhole(channel, 0, Math.min(size, SIGNATURES));
                readWhole(channel, Math.max(0, size - SIGNATURES), Math.min(size, SIGNATURES));
                return true;
              } catch (NoSuchFileException _) {
                throw new LinuxException(attempt, new Failure.Missing(Errno.ENOENT));
              } catch (IOException broken) {
                throw new LinuxException(attempt, new Failure.DeadMount(Errno.EIO));
              }
            });
  }

  /// Whether a look at the device has not come back in time, and still is inside it.
  public static boolean isOverdue(Path device) {
    return READING.isOverdue(device);
  }

  /// Refuses all writes to the device from now on, whoever opened it.
  ///
  /// It stays so when the device gets another content, as a loop device does with its next file: to
  /// be undone with [#makeWritable] before the device is given back.
  public static void makeReadOnly(Path device) {
    setReadOnly("make " + device + " read-only", device, 1);
  }

  /// Whether the kernel refuses all writes to the device. The device itself is not asked.
  public static boolean isReadOnly(Path device) {
    var flag = BY_NUMBER.resolve(FileStatus.of(device).special().toString()).resolve("ro");
    try {
      return !Files.readString(flag).strip().equals("0");
    } catch (IOException _) {
      throw new LinuxException(
          "ask whether " + device + " can be written to", new Failure.DeviceGone(Errno.ENXIO));
    }
  }

  /// Allows writes again; those that the device itself cannot do fail all the same.
  public static void makeWritable(Path device) {
    setReadOnly("make " + device + " writable", device, 0);
  }

  /// Whether somebody has the device for himself: a mount, a swap area, another device, a program
  /// that makes or checks a file system. Who only reads or writes it is not seen.
  public static boolean isHeld(Path device) {
    var attempt = "see who has " + device;
    return Blocking.call(
        attempt,
        Blocking.LOOK,
        () -> {
          long opened = Descriptor.tryOpen(device, Descriptor.O_RDONLY | O_EXCL);
          if (Errno.of(opened) == Errno.EBUSY) return true;
          if (opened < 0) throw new LinuxException(attempt, Failure.of(opened));
          new Descriptor(opened).close();
          return false;
        });
  }

  private static void setReadOnly(String attempt, Path device, int readOnly) {
    Blocking.run(
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var open = Descriptor.open(device, Descriptor.O_RDONLY);
              var arena = Arena.ofConfined()) {
            var flag = arena.allocateFrom(JAVA_INT, readOnly);
            SystemCall.IOCTL.orThrow(() -> attempt, open.number(), BLKROSET, flag.address());
          }
        });
  }

  private static void readWhole(FileChannel channel, long from, long length) throws IOException {
    var buffer = ByteBuffer.allocate((int) length);
    while (buffer.hasRemaining())
      if (channel.read(buffer, from + buffer.position()) < 0)
        throw new EOFException("the device ends before its size");
  }
}
