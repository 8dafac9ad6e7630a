package dev.berth.cli.stack;

import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Whether this machine can run a stack at all, asked before anything is made.
final class Preflight {
  private static final long LEAST_SPACE = 64 << 20;

  private Preflight() {}

  /// @throws Problem what is missing, and how to mend it
  static void check(Home home) {
    root();
    loopDevices();
    tools();
    space(home);
  }

  private static void root() {
    if (!"0".equals(userId()))
      throw new Problem("mounts need root; start it with sudo, or as root");
  }

  private static String userId() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("Uid:"))
          .map(line -> line.split("\\s+")[2])
          .findFirst()
          .orElse("");
    } catch (IOException noProc) {
      throw new Problem("cannot read /proc/self/status: mount /proc, and run on Linux");
    }
  }

  private static void loopDevices() {
    if (!Files.exists(Path.of("/dev/loop-control")))
      throw new Problem(
          "no loop devices here (/dev/loop-control is missing); load them with `modprobe loop`, or"
              + " give the container /dev");
  }

  private static void tools() {
    var tools = Tools.ofThisMachine();
    for (var needed : List.of(List.of("mkfs.ext4", "e2fsprogs"), List.of("blkid", "util-linux")))
      if (!tools.has(needed.getFirst()))
        throw new Problem(
            needed.getFirst() + " is not installed; install the package " + needed.getLast());
  }

  private static void space(Home home) {
    var existing = home.folder();
    while (!Files.exists(existing) && existing.getParent() != null) existing = existing.getParent();
    try {
      if (!Files.isWritable(existing))
        throw new Problem("cannot write to " + existing + "; choose another --home");
      var store = Files.getFileStore(existing);
      if (store.isReadOnly())
        throw new Problem(existing + " is on a read-only file system; choose another --home");
      if (store.getUsableSpace() < LEAST_SPACE)
        throw new Problem(
            "the disk under "
                + existing
                + " is full: "
                + (store.getUsableSpace() >> 20)
                + " MiB left, "
                + (LEAST_SPACE >> 20)
                + " MiB are needed at least; make room or choose another --home");
    } catch (IOException unreadable) {
      throw new Problem("cannot look at " + existing + ": " + unreadable.getMessage());
    }
  }
}
