package dev.berth.driver.disk;

import dev.berth.csi.socket.SocketPath;
import dev.berth.driver.DriverServer;
import dev.berth.driver.disk.controller.Policy;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;

/// `berth driver disk`: the disk driver alone in a process, until it is told to end.
public final class DiskService {
  /// For `--help`.
  public static final String HELP =
      """
      Usage: berth driver disk --endpoint unix:///PATH --node NAME --pool DIR [--pool DIR...]

      Serves the CSI driver disk.berth.dev on a Unix socket until SIGTERM.

        --endpoint unix:///PATH       socket; without it the variable CSI_ENDPOINT is read
        --node NAME                   name of this node and its CSI node id
        --pool DIR                    folder for volumes; may be given several times
        --services controller,node    what to serve beside Identity; both by default
        --zone NAME                   where this node is; nodes with one first pool share one
        --max-volumes N               how many volumes this node takes; 0: no limit; 256 by default
        --overcommit FACTOR           promise so many times the size of a pool's disk; 20 by default
        --log-level info|debug|trace  how much to tell; secrets are never told

      Example:
        berth driver disk --endpoint unix:///run/disk.sock --node $(hostname) --pool /var/lib/disks
      """;

  /// What the arguments ask for.
  private record Asked(SocketPath socket, DiskOptions options, DriverServer.Options serving) {}

  private static final Logger LOGGER = Logger.getLogger("dev.berth");

  private final DiskDriver driver;
  private final DriverServer server;

  private DiskService(DiskDriver driver, DriverServer server) {
    this.driver = driver;
    this.server = server;
  }

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
    Asked asked;
    try {
      asked = asked(arguments);
    } catch (IllegalArgumentException e) {
      err.println("berth driver disk: " + e.getMessage());
      return 2;
    }
    try {
      start(asked).untilTold();
      return 0;
    } catch (IOException | RuntimeException e) {
      err.println("berth driver disk: " + e.getMessage());
      return 1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private static DiskService start(Asked asked) throws IOException {
    var driver = DiskDriver.open(asked.options);
    try {
      return new DiskService(
          driver, DriverServer.start(asked.socket.path(), driver, asked.serving));
    } catch (IOException | RuntimeException e) {
      driver.close();
      throw e;
    }
  }

  private void untilTold() throws InterruptedException {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  server.close();
                  driver.close();
                },
                "disk-stop"));
    server.join();
  }

  private static Asked asked(List<String> arguments) {
    var endpoint = System.getenv().getOrDefault("CSI_ENDPOINT", "");
    var pools = new ArrayList<Path>();
    var services = EnumSet.allOf(DriverServer.Service.class);
    var node = "";
    var zone = "";
    var maxVolumes = DiskOptions.USUAL_MAX_VOLUMES;
    var policy = Policy.USUAL;
    for (var i = 0; i < arguments.size(); i += 2) {
      var name = arguments.get(i);
      if (i + 1 == arguments.size()) throw new IllegalArgumentException(name + " needs a value");
      var value = arguments.get(i + 1);
      switch (name) {
        case "--endpoint" -> endpoint = value;
        case "--node" -> node = value;
        case "--pool" -> pools.add(Path.of(value).toAbsolutePath());
        case "--services" -> services = services(value);
        case "--zone" -> zone = value;
        case "--max-volumes" -> maxVolumes = number(name, value).intValue();
        case "--overcommit" ->
            policy = new Policy(number(name, value).doubleValue(), policy.largestVolume());
        case "--log-level" -> LOGGER.setLevel(level(value));
        default -> throw new IllegalArgumentException(name + " is unknown; see --help");
      }
    }
    if (endpoint.isEmpty()) throw new IllegalArgumentException("--endpoint is missing");
    if (node.isEmpty()) throw new IllegalArgumentException("--node is missing");
    if (pools.isEmpty()) throw new IllegalArgumentException("--pool is missing");
    return new Asked(
        SocketPath.ofEndpoint(endpoint),
        new DiskOptions(pools, node, zone, maxVolumes, policy),
        DriverServer.Options.of(services));
  }

  private static EnumSet<DriverServer.Service> services(String words) {
    var services = EnumSet.noneOf(DriverServer.Service.class);
    for (var word : words.split(","))
      switch (word) {
        case "controller" -> services.add(DriverServer.Service.CONTROLLER);
        case "node" -> services.add(DriverServer.Service.NODE);
        default ->
            throw new IllegalArgumentException(
                "--services %s: there are controller and node".formatted(words));
      }
    return services;
  }

  private static Double number(String name, String value) {
    try {
      return Double.valueOf(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " " + value + " is not a number", e);
    }
  }

  private static Level level(String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "info" -> Level.INFO;
      case "debug" -> Level.FINE;
      case "trace" -> Level.FINEST;
      default ->
          throw new IllegalArgumentException(
              "--log-level %s: there are info, debug and trace".formatted(word));
    };
  }
}
