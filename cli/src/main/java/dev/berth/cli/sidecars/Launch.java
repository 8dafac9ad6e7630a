package dev.berth.cli.sidecars;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Given;
import dev.berth.cli.flags.Program;
import dev.berth.driver.process.TextEndpoint;
import dev.berth.kube.api.Api;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.name.LeaseNames;
import dev.berth.sidecar.Leadership;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.part.Sidecar;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs sidecars of drivers until SIGTERM, as a command line of upstream's asks for.
public final class Launch {
  private static final Logger log = LoggerFactory.getLogger(Launch.class);
  private static final Path NAMESPACE =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

  private final CommandLines line;
  private final Given common;
  private final Collection<Sidecar> chosen;
  private final String command;

  /// @param line of the programs whose sidecars are `chosen`, and perhaps of others
  /// @param command as the user calls it, such as `berth sidecars`
  public Launch(CommandLines line, Collection<Sidecar> chosen, String command) {
    this.line = line;
    this.chosen = List.copyOf(chosen);
    this.command = command;
    common =
        line.given().values().stream()
            .filter(each -> each.program().sidecar().filter(chosen::contains).isPresent())
            .findFirst()
            .orElseThrow();
  }

  /// Returns when the process is asked to end, and what it held is given up.
  ///
  /// @throws Problem if something of the command line cannot be, or if one sidecar alone, as
  ///   upstream's, has nothing to do for the driver (RSZ-04, HM-01)
  public void run() throws InterruptedException {
    LogFlags.obey(common);
    var given = common.all("csi-address");
    var sockets =
        (given.isEmpty() ? List.of(common.text("csi-address")) : given)
            .stream().distinct().map(Launch::socket).toList();
    var options = Settings.of(line.given(), chosen);
    var stop = new CountDownLatch(1);
    try (var api = api();
        var leases = api();
        var process = new SidecarProcess(api, sockets, options.under(leadership(leases)))) {
      checkOwner(options, api);
      listen(process);
      var ended = new CountDownLatch(1);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stop, ended), "shut-down"));
      try {
        tell(sockets);
        var useless = new CompletableFuture<String>();
        process.start(why -> {
          if (line.given().size() > 1) return; // what it can do may change
          useless.complete(why);
          stop.countDown();
        });
        stop.await();
        process.close();
        if (useless.isDone()) throw new Problem(useless.join());
      } finally {
        ended.countDown();
      }
    }
  }

  private static void checkOwner(SidecarOptions options, Api api) {
    try {
      options.capacity().ifPresent(it -> it.checkOwner(api));
    } catch (IllegalArgumentException nobody) {
      throw new Problem(String.valueOf(nobody.getMessage()));
    }
  }

  /// ONE-25.
  private void tell(List<Path> sockets) {
    var matched =
        line.given().keySet().stream()
            .filter(program -> program.sidecar().filter(chosen::contains).isPresent())
            .map(Program::matched)
            .toList();
    log.info("{} {} serves {}, as {}", command, version(), sockets, String.join(", ", matched));
    if (!line.idle().isEmpty())
      log.info("taken, and without effect here: --{}", String.join(", --", line.idle()));
    if (!line.words().isEmpty())
      log.warn("no flags, and passed over: {}", String.join(" ", line.words()));
  }

  public static String version() {
    var version = Launch.class.getPackage().getImplementationVersion();
    return version == null ? "from source" : version;
  }

  /// The process goes when its hooks have run: this one waits until the Leases are given up.
  public static void end(CountDownLatch stop, CountDownLatch ended) {
    stop.countDown();
    try {
      ended.await();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  private static Path socket(String address) {
    var path = address.startsWith("unix:") ? address.replaceFirst("^unix:(//)?", "") : address;
    if (!path.startsWith("/"))
      throw Problem.ofCommandLine("--csi-address %s: write an absolute path".formatted(address));
    return Path.of(path);
  }

  private HttpApi api() {
    var master =
        switch (common.program()) {
          case PROVISIONER, RESIZER -> common.find("master");
          default -> Optional.<String>empty();
        };
    return Clusters.api(common.find("kubeconfig"), master);
  }

  private void listen(SidecarProcess process) {
    var http = common.find("http-endpoint");
    var metrics = common.find("metrics-address");
    if (http.isPresent() && metrics.isPresent())
      throw Problem.ofCommandLine("only one of --metrics-address and --http-endpoint can be set");
    var address = http.or(() -> metrics);
    if (address.isEmpty()) return;
    var path = MetricsPath.of(common.text("metrics-path"));
    try {
      process.listen(address(address.get()), path, profiling());
    } catch (IOException taken) {
      throw new Problem("--http-endpoint %s: %s".formatted(address.get(), taken.getMessage()));
    }
  }

  /// Of all the sidecars, one has the flag.
  private boolean profiling() {
    var provisioner = line.given().get(Program.PROVISIONER);
    return provisioner != null && provisioner.isOn("enable-pprof");
  }

  public static InetSocketAddress address(String text) {
    try {
      return TextEndpoint.address(text);
    } catch (IllegalArgumentException wrong) {
      throw Problem.ofCommandLine("--http-endpoint %s: write HOST:PORT or :PORT".formatted(text));
    }
  }

  private Leadership leadership(HttpApi leases) {
    if (!common.isOn("leader-election")) return new Leadership.Assumed();
    var name =
        LeaseNames.clean(common.find("leader-election-identity").orElseGet(Launch::hostName));
    return new Leadership.Elected(
        leases,
        common.find("leader-election-namespace").orElseGet(Launch::podNamespace),
        name,
        common.labels("leader-election-labels"),
        Settings.terms(common));
  }

  /// What no other process calls itself, as upstream's name themselves.
  public static String uniqueName() {
    return read(Path.of("/proc/sys/kernel/hostname")).orElse("controllers")
        + "_"
        + UUID.randomUUID();
  }

  private static String hostName() {
    return read(Path.of("/proc/sys/kernel/hostname"))
        .orElseThrow(
            () -> new Problem("this host has no name; give one with --leader-election-identity"));
  }

  /// PROV-170.
  static String podNamespace() {
    return Optional.ofNullable(System.getenv("POD_NAMESPACE"))
        .filter(it -> !it.isEmpty())
        .or(() -> read(NAMESPACE))
        .orElse("default");
  }

  private static Optional<String> read(Path file) {
    try {
      return Optional.of(Files.readString(file).strip()).filter(it -> !it.isEmpty());
    } catch (IOException absent) {
      return Optional.empty();
    }
  }
}
