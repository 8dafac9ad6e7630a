package dev.berth.linux.file;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Errno;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.OneAsker;
import dev.berth.linux.sys.SystemCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Zeros over a part of a device, on its medium when a call returns. A part is to be small enough
/// that a slow disk is through with it well within [Blocking#CHANGE].
public final class Zeros {
  private static final long KEEP_SIZE_AND_PUNCH = 3;
  private static final int AT_ONCE = 4 << 20;

  /// A device that hangs keeps one thread, however often it is tried again.
  private static final OneAsker<Path> WRITING = new OneAsker<>();

  private Zeros() {}

  /// Has the device itself make zeros of a part, if it promises that it reads as zeros then.
  ///
  /// @return whether it can; else nothing has changed
  public static boolean discard(Path device, long from, long to) {
    var attempt = "discard what is on " + device;
    return WRITING.call(
        device,
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var open = Descriptor.open(device, Descriptor.O_RDWR)) {
            long result =
                SystemCall.FALLOCATE.invoke(open.number(), KEEP_SIZE_AND_PUNCH, from, to - from);
            if (result < 0) {
              var failure = Failure.of(result);
              if (failure instanceof Failure.Unsupported) return false;
              throw new LinuxException(attempt, failure);
            }
            SystemCall.FSYNC.orThrow(() -> attempt, open.number());
            return true;
          }
        });
  }

  /// Writes them.
  public static void write(Path device, long from, long to) {
    var attempt = "write zeros to " + device;
    Boolean _ =
        WRITING.call(
            device,
            attempt,
            Blocking.CHANGE,
            () -> {
              try (var channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
                var zeros = ByteBuffer.allocateDirect((int) Math.min(AT_ONCE, to - from));
                for (long at = from; at < to; ) {
                  zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
                  at += channel.write(zeros, at);
                }
                channel.force(true);
                return true;
              } catch (IOException e) {
                throw new LinuxException(attempt, new Failure.DeadMount(Errno.EIO));
              }
            });
  }

  /// Whether a part is nothing else.
  public static boolean isAll(Path device, long from, long to) {
    var attempt = "read " + device;
    return WRITING.call(
        device,
        attempt,
        Blocking.LOOK,
        () -> {
          try (var channel = FileChannel.open(device)) {
            var bytes = ByteBuffer.allocate((int) Math.min(AT_ONCE, to - from));
            for (long at = from; at < to; at += bytes.limit()) {
              bytes.clear().limit((int) Math.min(bytes.capacity(), to - at));
              while (bytes.hasRemaining())
                if (channel.read(bytes, at + bytes.position()) < 0) return false;
              for (int i = 0; i < bytes.limit(); i++) if (bytes.get(i) != 0) return false;
            }
            return true;
          } catch (IOException e) {
            throw new LinuxException(attempt, new Failure.DeadMount(Errno.EIO));
          }
        });
  }
}
