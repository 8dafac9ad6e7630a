package dev.berth.driver.disk;

import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.disk.controller.Policy;
import dev.berth.driver.disk.pool.PoolMount;
import dev.berth.driver.process.Arguments;
import dev.berth.driver.process.DriverProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// `berth driver disk`: the disk driver alone in a process, until it is told to end.
public final class DiskService {
  /// For `--help`.
  public static final String HELP =
      """
      Usage: berth driver disk --endpoint unix:///PATH --node NAME --pool DIR [--pool DIR...]

      Serves the CSI driver disk.berth.dev on a Unix socket until SIGTERM.

        --node NAME                   name of this node and its CSI node id; without effect where
                                      --services is controller
        --pool DIR                    folder for volumes; may be given several times. It is a pool,
                                      or empty, or not there: then it is made, if the folder above
                                      it is there
        --pool-mount-point DIR        where the disk of the pools has to be mounted; without it
                                      the driver does not start, and makes and deletes nothing
        --zone NAME                   where this node is; nodes with one first pool share one
        --max-volumes N               how many volumes this node takes; 0: no limit; 256 by default
        --overcommit FACTOR           promise so many times the size of a pool's disk; 20 by default
      """
          + DriverProcess.HELP
          + """

          A volume is limited by the mutable parameters readIops, writeIops, readBytesPerSecond and
          writeBytesPerSecond, which the kernel's control groups keep: io.max of version 2, or
          blkio.throttle of version 1. A node that can see and write to neither refuses such volumes,
          and the controller refuses limits that no node can keep. In a pod the host's groups have to
          be mounted.

          Example:
            berth driver disk --endpoint unix:///run/disk.sock --node $(hostname) --pool /var/lib/disks
          """;

  /// Of a process's status: its effective capabilities, and which of them is CAP_SYS_ADMIN.
  private static final String EFFECTIVE = "CapEff:";

  private static final int SYS_ADMIN = 21;

  private static final Set<String> ARGUMENTS =
      Set.of("--node", "--pool", "--pool-mount-point", "--zone", "--max-volumes", "--overcommit");

  private DiskService() {}

  public static void main(String[] arguments) {
    System.exit(run(List.of(arguments), System.out, System.err));
  }

  /// Serves until the process is told to end.
  ///
  /// @return exit code: 0 after an orderly end, 1 if it could not start, 2 for wrong arguments
  public static int run(List<String> arguments, PrintStream out, PrintStream err) {
    if (arguments.contains("--help")) {
      out.print(HELP);
      return 0;
    }
    return DriverProcess.run("berth driver disk", arguments, ARGUMENTS, DiskService::open, err);
  }

  /// @throws IOException also if what a node does could not be done: mounts, loop devices
  private static DiskDriver open(Arguments arguments) throws IOException {
    var options = options(arguments);
    if (options.services().contains(Service.NODE) && !mayMount())
      throw new IOException(
          "a node's part mounts and has loop devices, which needs root (CAP_SYS_ADMIN); run it as"
              + " root, or with --services controller");
    var mountPoint = arguments.find("--pool-mount-point").map(Path::of);
    if (mountPoint.isPresent()) {
      var why = PoolMount.whyNot(mountPoint.get().toAbsolutePath(), options.pools());
      if (why.isPresent()) throw new IOException(why.get());
    }
    return DiskDriver.open(options);
  }

  private static boolean mayMount() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith(EFFECTIVE))
          .map(line -> Long.parseUnsignedLong(line.substring(EFFECTIVE.length()).strip(), 16))
          .allMatch(capabilities -> (capabilities >>> SYS_ADMIN & 1) == 1);
    }
  }

  private static DiskOptions options(Arguments arguments) {
    var services = arguments.services();
    var node =
        services.contains(Service.NODE)
            ? arguments.one("--node")
            : arguments.find("--node").orElse("none"); // nobody hears of it
    if (arguments.all("--pool").isEmpty()) throw new IllegalArgumentException("--pool is missing");
    return new DiskOptions(
        arguments.all("--pool").stream().map(pool -> Path.of(pool).toAbsolutePath()).toList(),
        node,
        arguments.find("--zone").orElse(""),
        arguments
            .find("--max-volumes", "a whole number", Arguments::wholeNumber)
            .orElse(DiskOptions.USUAL_MAX_VOLUMES),
        arguments
            .find("--overcommit", "a number", Double::valueOf)
            .map(factor -> new Policy(factor, Policy.USUAL.largestVolume()))
            .orElse(Policy.USUAL),
        services);
  }
}
