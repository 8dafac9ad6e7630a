package dev.berth.conform;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.conform.trial.Settings;
import dev.berth.conform.trial.Settings.AttachLimit;
import dev.berth.conform.trial.Settings.Extras;
import dev.berth.conform.trial.Settings.Maps;
import dev.berth.conform.trial.Settings.Shape;
import dev.berth.driver.DriverServer;
import dev.berth.driver.disk.DiskDriver;
import dev.berth.driver.disk.DiskOptions;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.FileHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// The disk driver with a pool of its own, and nothing left of it at the end. It is the one driver
/// with every capability, so no check is left out.
public final class DiskUnderTest implements AutoCloseable {
  private static final String LOG_FILE = "disk.log";
  private static final String OTHER_NODE = "other";
  private static final int MOST_VOLUMES = 6;

  /// Every call is told, at its most talkative, to a file in which secrets are looked for.
  private static final Logger LOG = Logger.getLogger("dev.berth");

  private final Path folder;
  private final Path socket;
  private final DiskDriver driver;
  private final DriverServer server;
  private final Handler log;

  private DiskUnderTest(
      Path folder, DiskDriver driver, DriverServer server, Path socket, Handler log) {
    this.log = log;
    this.folder = folder;
    this.driver = driver;
    this.server = server;
    this.socket = socket;
  }

  /// Skips the test where there are no loop devices for us.
  public static DiskUnderTest start() throws IOException {
    assumeTrue(
        Files.isWritable(Path.of("/dev/loop-control")), "needs root and loop devices: skipped");
    var folder = Files.createTempDirectory("conform");
    var log = new FileHandler(folder.resolve(LOG_FILE).toString());
    log.setFormatter(new SimpleFormatter());
    log.setLevel(Level.ALL);
    LOG.setLevel(Level.ALL);
    LOG.setUseParentHandlers(false);
    LOG.addHandler(log);
    var pools = List.of(folder.resolve("pool"));
    // A second node is known once it has been there.
    DiskDriver.open(DiskOptions.of(pools, OTHER_NODE)).close();
    var driver = DiskDriver.open(DiskOptions.of(pools, "a").withMaxVolumes(MOST_VOLUMES));
    var socket = folder.resolve("csi.sock");
    return new DiskUnderTest(folder, driver, DriverServer.start(socket, driver), socket, log);
  }

  public Path folder() {
    return folder;
  }

  public Path socket() {
    return socket;
  }

  /// Settings with which no check of this driver is skipped for want of one.
  Settings settings(Shape shape) {
    return settings(shape, socket, Optional.of(folder.resolve(LOG_FILE)));
  }

  /// Settings for this driver, or for one in front of it.
  ///
  /// @param socket the driver's, or one in front of it
  /// @param log where secrets are looked for
  public Settings settings(Shape shape, Path socket, Optional<Path> log) {
    return Settings.of(socket, folder)
        .with(shape)
        .with(
            new Maps(
                Map.of("allocation", "thin"),
                Map.of(),
                Map.of("readIops", "1000"),
                Map.of("user", "alibaba", "password", "open sesame")))
        .with(new Extras(Optional.of(OTHER_NODE), log, AttachLimit.REACHED));
  }

  public List<Path> mounts() {
    return Mounts.ofThisMachine().table().under(folder).stream()
        .map(entry -> entry.target())
        .toList();
  }

  public List<String> images() throws IOException {
    try (var files = Files.walk(folder.resolve("pool"))) {
      return files.map(Path::toString).filter(name -> name.endsWith(".img")).toList();
    }
  }

  public List<String> foldersOfRuns() throws IOException {
    try (var files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith("berth-conform-"))
          .toList();
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    driver.close();
    LOG.removeHandler(log);
    log.close();
    LOG.setUseParentHandlers(true);
    for (var mount : mounts()) Mounts.ofThisMachine().unmount(mount, Mounts.Unmount.LAZY);
    for (var loop : new LoopDevices().attached())
      if (loop.backingFile().startsWith(folder.toString())) new LoopDevices().detach(loop.device());
    if (!mounts().isEmpty()) throw new IllegalStateException("still mounted: " + mounts());
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }
}
