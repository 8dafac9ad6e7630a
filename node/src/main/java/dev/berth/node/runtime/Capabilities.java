package dev.berth.node.runtime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// Which of root's powers an ordinary container keeps: those that container engines leave it by
/// default, but for the making of device files. Not every machine has control groups that say which
/// devices a container may use ([DevicePolicy]); without them the loop device of any pod's volume
/// would be its to read and write.
public final class Capabilities {
  private static final int CHOWN = 0;
  private static final int DAC_OVERRIDE = 1;
  private static final int FOWNER = 3;
  private static final int FSETID = 4;
  private static final int KILL = 5;
  private static final int SETGID = 6;
  private static final int SETUID = 7;
  private static final int SETPCAP = 8;
  private static final int NET_BIND_SERVICE = 10;
  private static final int NET_RAW = 13;
  private static final int SYS_CHROOT = 18;
  private static final int AUDIT_WRITE = 29;
  private static final int SETFCAP = 31;

  private static final Set<Integer> KEPT =
      Set.of(
          CHOWN,
          DAC_OVERRIDE,
          FOWNER,
          FSETID,
          KILL,
          SETGID,
          SETUID,
          SETPCAP,
          NET_BIND_SERVICE,
          NET_RAW,
          SYS_CHROOT,
          AUDIT_WRITE,
          SETFCAP);

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Path LAST = Path.of("/proc/sys/kernel/cap_last_cap");

  private Capabilities() {}

  /// All others that this kernel knows.
  public static List<Integer> takenAway() {
    return IntStream.rangeClosed(0, last())
        .filter(number -> !KEPT.contains(number))
        .boxed()
        .toList();
  }

  /// What root has in an ordinary container, one bit each: no more than the agent itself.
  public static long ordinary() {
    return ofAgent() & KEPT.stream().mapToLong(number -> 1L << number).sum();
  }

  /// What this process may do, one bit each.
  public static long ofAgent() {
    return text(STATUS)
        .lines()
        .filter(line -> line.startsWith("CapPrm:"))
        .map(line -> Long.parseUnsignedLong(line.substring("CapPrm:".length()).strip(), 16))
        .findFirst()
        .orElseThrow();
  }

  private static int last() {
    return Integer.parseInt(text(LAST).strip());
  }

  private static String text(Path file) {
    // Files.readString begins with a single byte, and the kernel gives a number only once.
    try (var stream = Files.newInputStream(file)) {
      return new String(stream.readNBytes(1 << 16), StandardCharsets.US_ASCII);
    } catch (IOException broken) {
      throw new UncheckedIOException("read " + file, broken);
    }
  }
}
