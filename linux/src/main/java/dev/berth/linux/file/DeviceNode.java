package dev.berth.linux.file;

import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.SystemCall;
import java.lang.foreign.Arena;
import java.nio.file.Path;

/// Device files and named pipes.
public final class DeviceNode {
  private static final int TYPE = 0xF000;
  private static final int PIPE = 0x1000;

  private DeviceNode() {}

  /// Makes a node for the device that another node stands for. The umask applies.
  ///
  /// @param like status of that node
  /// @param permissions such as 0666
  public static void make(Path path, FileStatus like, int permissions) {
    make(
        "make device " + like.special() + " at " + path,
        path,
        (like.mode() & TYPE) | permissions,
        like.special().packed());
  }

  /// Makes a named pipe. The umask applies.
  public static void makePipe(Path path, int permissions) {
    make("make named pipe " + path, path, PIPE | permissions, 0);
  }

  private static void make(String attempt, Path path, long mode, long device) {
    Blocking.run(
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var arena = Arena.ofConfined()) {
            SystemCall.MKNODAT.orThrow(
                () -> attempt,
                SystemCall.AT_FDCWD,
                arena.allocateFrom(path.toString()).address(),
                mode,
                device);
          }
        });
  }
}
