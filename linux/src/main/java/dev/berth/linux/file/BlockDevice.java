package dev.berth.linux.file;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/// Questions to a block device.
public final class BlockDevice {
  private static final long BLKGETSIZE64 = 0x80081272L;
  private static final long BLKROSET = 0x125D;

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

  /// Refuses all writes to the device from now on, whoever opened it.
  public static void makeReadOnly(Path device) {
    var attempt = "make " + device + " read-only";
    Blocking.run(
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var open = Descriptor.open(device, Descriptor.O_RDONLY);
              var arena = Arena.ofConfined()) {
            var yes = arena.allocateFrom(JAVA_INT, 1);
            SystemCall.IOCTL.orThrow(() -> attempt, open.number(), BLKROSET, yes.address());
          }
        });
  }
}
