package dev.berth.cli.stack;

import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Whether this machine can run a stack at all, asked before anything is made.
public final class Preflight {
  private static final long LEAST_SPACE = 32 << 20;
  private static final long CAP_SYS_ADMIN = 1 << 21;

  private Preflight() {}

  /// @throws Problem what is missing, and how to mend it
  static void check(Home home, int port) {
    root();
    mayMount();
    notUp(home);
    port(port);
    loopDevices();
    tools();
    space(home);
    programs(home);
  }

  /// Whether an API server alone can run there.
  ///
  /// @throws Problem what is missing, and how to mend it
  static void checkFolder(Home home) {
    notUp(home);
    space(home);
  }

  /// Whether it may at least unmount.
  ///
  /// @throws Problem what is missing, and how to mend it
  public static void checkMachine() {
    root();
    mayMount();
  }

  private static void root() {
    if (!"0".equals(userId()))
      throw new Problem("mounts need root; start it with sudo, or as root");
  }

  private static String userId() {
    return status("Uid:", 2);
  }

  /// Root of a container or of a user namespace is not enough for a disk's file system.
  private static void mayMount() {
    boolean capable = (Long.parseLong(status("CapEff:", 1), 16) & CAP_SYS_ADMIN) != 0;
    if (!capable)
      throw new Problem(
          "mounts need CAP_SYS_ADMIN, which root has not got here; give the container that"
              + " capability (docker run --privileged), or run outside of it");
    if (!read("/proc/self/uid_map").getFirst().strip().matches("0 +0 +4294967295"))
      throw new Problem(
          "in a user namespace the kernel mounts no disks; run berth as root of the machine");
  }

  private static String status(String field, int word) {
    return read("/proc/self/status").stream()
        .filter(line -> line.startsWith(field))
        .map(line -> line.split("\\s+", -1)[word])
        .findFirst()
        .orElseThrow(() -> new Problem("/proc/self/status has no " + field + " Run on Linux"));
  }

  private static List<String> read(String file) {
    try {
      return Files.readAllLines(Path.of(file));
    } catch (IOException noProc) {
      throw new Problem("cannot read " + file + ": mount /proc, and run on Linux");
    }
  }

  /// Before the port, which the other stack has too; the lock finds out for certain.
  private static void notUp(Home home) {
    if (!Files.isDirectory(home.folder())) return;
    try {
      if (home.running().isPresent()) throw new Problem(home.inUse());
    } catch (IOException unreadable) {
      throw new Problem("cannot look into " + home.folder() + ": " + unreadable.getMessage());
    }
  }

  /// Asked early, so that a new home is not made in vain; the server finds out for certain.
  private static void port(int port) {
    if (port == 0) return;
    try (var probe = new ServerSocket()) {
      probe.setReuseAddress(true); // connections of an earlier stack do not count
      probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException taken) {
      throw new Problem(taken(port));
    }
  }

  static String taken(int port) {
    return "port "
        + port
        + " is taken by another program or stack; choose another with --port, or --port 0 for any";
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

  private static Path existing(Home home) {
    var existing = home.folder();
    while (!Files.exists(existing) && existing.getParent() != null) existing = existing.getParent();
    return existing;
  }

  private static void space(Home home) {
    var existing = existing(home);
    if (!Files.isDirectory(existing))
      throw new Problem(existing + " is no folder; choose another --home");
    try {
      if (!Files.isWritable(existing))
        throw new Problem("cannot write to " + existing + "; choose another --home");
      var store = Files.getFileStore(existing);
      if (store.isReadOnly())
        throw new Problem(existing + " is on a read-only file system; choose another --home");
      // On a full disk whoever has a stack needs one to make room, and to end what one left.
      if (home.isNew() && store.getUsableSpace() < LEAST_SPACE)
        throw new Problem(
            "the disk under "
                + existing
                + " is full: "
                + (store.getUsableSpace() >> 20)
                + " MiB left, a new stack needs "
                + (LEAST_SPACE >> 20)
                + " MiB; make room or choose another --home");
    } catch (IOException unreadable) {
      throw new Problem("cannot look at " + existing + ": " + unreadable.getMessage());
    }
  }

  /// What starts the containers is a program in the home.
  private static void programs(Home home) {
    var existing = existing(home);
    try {
      var mount = Mounts.ofThisMachine().table().covering(existing.toRealPath());
      if (mount.isPresent() && mount.get().options().contains("noexec"))
        throw new Problem(
            existing
                + " is on a file system mounted noexec ("
                + mount.get().target()
                + "), from which no container can be started; choose another --home, or mount -o"
                + " remount,exec "
                + mount.get().target());
    } catch (IOException unreadable) {
      throw new Problem("cannot look at " + existing + ": " + unreadable.getMessage());
    }
  }
}
