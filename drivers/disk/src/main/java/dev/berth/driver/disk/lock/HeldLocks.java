package dev.berth.driver.disk.lock;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/// Who works on what in a pool, as the kernel tells it: looked at, not touched. It shows the
/// processes of the reader's PID name space only.
public final class HeldLocks {
  private static final Path LOCKS = Path.of("/proc/locks");

  /// Processes by the byte that they have locked.
  private final Map<Long, Long> holders;

  private HeldLocks(Map<Long, Long> holders) {
    this.holders = holders;
  }

  public static HeldLocks of(Path pool) throws IOException {
    var file = pool.resolve(Holds.FILE);
    if (!Files.exists(file)) return new HeldLocks(Map.of());
    var inode = ":" + Files.getAttribute(file, "unix:ino");
    return new HeldLocks(parse(Files.readString(LOCKS, StandardCharsets.US_ASCII), inode));
  }

  /// @param text such as `1: POSIX ADVISORY WRITE 815 fe:00:4711 92 92`, a line a lock
  static Map<Long, Long> parse(String text, String inode) {
    var holders = new HashMap<Long, Long>();
    for (var line : text.lines().toList()) {
      var words = line.strip().split("\\s+", -1);
      if (words.length != 8 || !words[5].endsWith(inode) || words[7].equals("EOF")) continue;
      holders.put(Long.valueOf(words[6]), Long.valueOf(words[4]));
    }
    return holders;
  }

  /// Whether somebody works on a volume or snapshot at the moment.
  public boolean worksOn(String id) {
    return holder(Holds.volumeLock(id)).isPresent();
  }

  /// Whether a snapshot of the volume is being cut, for which its file system stands still.
  public boolean freezes(String volumeId) {
    return holder(Holds.frozenLock(volumeId)).isPresent();
  }

  /// The process that controls the pool; empty: none does.
  public OptionalLong controller() {
    return holder(Holds.CONTROL);
  }

  private OptionalLong holder(String thing) {
    var process = holders.get(PoolLocks.position(thing));
    return process == null ? OptionalLong.empty() : OptionalLong.of(process);
  }
}
