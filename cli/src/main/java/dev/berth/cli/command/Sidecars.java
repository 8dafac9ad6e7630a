package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.sidecars.SidecarProcess;
import dev.berth.cli.terminal.Terminal;
import dev.berth.driver.process.TextEndpoint;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.lease.Terms;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.model.GoDuration;
import dev.berth.kube.model.LeaseNames;
import dev.berth.sidecar.Leadership;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.attacher.AttacherOptions;
import dev.berth.sidecar.provisioner.ProvisionerOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "sidecars",
    description = {
      "Provisions and attaches volumes of CSI drivers on any cluster: what external-provisioner and"
          + " external-attacher do, for one driver or several, in one process. Runs beside the"
          + " driver's controller until SIGTERM; drivers may come and go.",
      "Options have upstream's names and defaults. Snapshots and growth are not served yet: leave"
          + " external-snapshotter and external-resizer beside it."
    },
    footer = {
      "",
      "Examples:",
      "  berth sidecars --csi-address /csi/csi.sock --leader-election",
      "  berth sidecars --csi-address /run/disk.sock --kubeconfig ~/.kube/config"
    })
final class Sidecars implements Callable<Integer> {
  private static final Path NAMESPACE =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

  @Option(
      names = "--csi-address",
      paramLabel = "SOCKET",
      required = true,
      description = "A driver's socket, with or without unix://; once for each driver.")
  private List<String> sockets = new ArrayList<>();

  @Mixin private ClusterOption cluster = new ClusterOption();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Times.class,
      description = "How long a call of a driver may take; by default 10s, and 15s to attach.")
  private Optional<Duration> timeout = Optional.empty();

  @Option(
      names = "--worker-threads",
      paramLabel = "COUNT",
      defaultValue = "100",
      description = "Claims and volumes worked on at the same time; default: ${DEFAULT-VALUE}.")
  private int workers;

  @Option(
      names = "--http-endpoint",
      paramLabel = "HOST:PORT",
      description = "Where to serve metrics, /readyz, /livez and /healthz/leader-election.")
  private Optional<String> http = Optional.empty();

  @Option(
      names = "--metrics-path",
      paramLabel = "PATH",
      defaultValue = "/metrics",
      description = "Where metrics are; default: ${DEFAULT-VALUE}.")
  private String metricsPath = "";

  @Option(
      names = "--leader-election",
      description = "Act only while the Leases of upstream's sidecars are held.")
  private boolean elect;

  @Option(
      names = "--leader-election-namespace",
      paramLabel = "NAME",
      description = "Where the Leases are; by default the pod's namespace, else `default`.")
  private Optional<String> namespace = Optional.empty();

  @Option(
      names = "--leader-election-identity",
      paramLabel = "NAME",
      description = "What no other candidate is called; by default the host name, as a pod has it.")
  private Optional<String> identity = Optional.empty();

  @Option(
      names = "--leader-election-lease-duration",
      paramLabel = "TIME",
      defaultValue = "15s",
      converter = Times.class,
      description = "How long a renewal holds; default: ${DEFAULT-VALUE}.")
  private Duration lease = Duration.ZERO;

  @Option(
      names = "--leader-election-renew-deadline",
      paramLabel = "TIME",
      defaultValue = "10s",
      converter = Times.class,
      description = "How long to go on without a renewal; default: ${DEFAULT-VALUE}.")
  private Duration renew = Duration.ZERO;

  @Option(
      names = "--leader-election-retry-period",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = Times.class,
      description = "How often to renew, or to look again; default: ${DEFAULT-VALUE}.")
  private Duration retry = Duration.ZERO;

  @Option(
      names = "--volume-name-prefix",
      paramLabel = "TEXT",
      defaultValue = "pvc",
      description = "How the names of new volumes begin; default: ${DEFAULT-VALUE}.")
  private String prefix = "";

  @Option(
      names = "--volume-name-uuid-length",
      paramLabel = "COUNT",
      defaultValue = "-1",
      description = "How much of the claim's UID follows; -1: all of it.")
  private int uidLength;

  @Option(
      names = "--strict-topology",
      description = "A waiting claim's volume is asked for the chosen node's topology only.")
  private boolean strictTopology;

  @Option(
      names = "--immediate-topology",
      arity = "0..1",
      defaultValue = "true",
      fallbackValue = "true",
      paramLabel = "true|false",
      description = "Claims that do not wait for a pod ask for the cluster's topologies.")
  private boolean immediateTopology;

  @Option(
      names = "--default-fstype",
      paramLabel = "TYPE",
      defaultValue = "",
      description = "The file system of volumes whose class names none.")
  private String fsType = "";

  @Option(
      names = "--extra-create-metadata",
      description = "Tell drivers the names of claim and volume.")
  private boolean extraMetadata;

  @Option(
      names = "--controller-publish-readonly",
      description = "Volumes of read-only claims are attached read-only.")
  private boolean readOnlyPublish;

  static final class Times implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return GoDuration.parse(text)
          .filter(Duration::isPositive)
          .orElseThrow(() ->
              new TypeConversionException("write a time such as 15s, 1m30s or 250ms, not " + text));
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    var paths = sockets.stream().map(Sidecars::socket).toList();
    var terms = terms();
    var stop = new CountDownLatch(1);
    try (var api = cluster.api(2);
        var leases = cluster.api(2);
        var process = new SidecarProcess(api, paths, options(leases, terms))) {
      listen(process);
      var ended = new CountDownLatch(1);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stop, ended), "shut-down"));
      try {
        process.start();
        Terminal.standard().line("berth sidecars serves " + String.join(", ", sockets));
        stop.await();
        process.close();
      } finally {
        ended.countDown();
      }
    }
    return 0;
  }

  private Terms terms() {
    try {
      return new Terms(lease, renew, retry);
    } catch (IllegalArgumentException wrong) {
      throw new Problem(String.valueOf(wrong.getMessage()), 2);
    }
  }

  /// The process goes when its hooks have run: this one waits until the Leases are given up.
  private static void end(CountDownLatch stop, CountDownLatch ended) {
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
      throw new Problem("--csi-address %s: write an absolute path".formatted(address), 2);
    return Path.of(path);
  }

  private void listen(SidecarProcess process) {
    if (http.isEmpty()) return;
    if (!metricsPath.startsWith("/"))
      throw new Problem("--metrics-path %s: begin it with /".formatted(metricsPath), 2);
    InetSocketAddress address;
    try {
      address = TextEndpoint.address(http.get());
    } catch (IllegalArgumentException wrong) {
      throw new Problem("--http-endpoint %s: write HOST:PORT or :PORT".formatted(http.get()), 2);
    }
    try {
      process.listen(address, metricsPath);
    } catch (IOException taken) {
      throw new Problem("--http-endpoint %s: %s".formatted(http.get(), taken.getMessage()));
    }
  }

  private SidecarOptions options(HttpApi leases, Terms terms) {
    try {
      var standard = SidecarOptions.DEFAULT;
      var pace = Pace.SIDECAR.parallel(workers);
      return standard
          .with(
              new ProvisionerOptions(
                  prefix,
                  uidLength,
                  strictTopology,
                  immediateTopology,
                  fsType,
                  extraMetadata,
                  readOnlyPublish,
                  timeout.orElse(standard.provisioner().timeout()),
                  pace,
                  ProvisionerOptions.USUAL))
          .with(
              new AttacherOptions(
                  fsType, workers, workers, timeout.orElse(standard.attacher().timeout()), pace))
          .under(leadership(leases, terms));
    } catch (IllegalArgumentException wrong) {
      throw new Problem(String.valueOf(wrong.getMessage()), 2);
    }
  }

  private Leadership leadership(HttpApi leases, Terms terms) {
    if (!elect) return new Leadership.Assumed();
    var name = LeaseNames.clean(identity.orElseGet(Sidecars::hostName));
    return new Leadership.Elected(leases, namespace.orElseGet(Sidecars::podNamespace), name, terms);
  }

  private static String hostName() {
    return read(Path.of("/proc/sys/kernel/hostname"))
        .orElseThrow(() ->
            new Problem("this host has no name; give one with --leader-election-identity", 2));
  }

  /// PROV-170.
  private static String podNamespace() {
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
