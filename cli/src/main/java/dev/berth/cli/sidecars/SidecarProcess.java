package dev.berth.cli.sidecars;

import dev.berth.cli.nodeplugin.Profiling;
import dev.berth.driver.process.TextEndpoint;
import dev.berth.driver.process.TextEndpoint.Text;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.cache.Scope;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.sidecar.Contact;
import dev.berth.sidecar.DriverNames;
import dev.berth.sidecar.DriverSidecars;
import dev.berth.sidecar.Leadership;
import dev.berth.sidecar.Recorders;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.health.HealthMetrics;
import dev.berth.sidecar.metric.ClaimHealthMetrics;
import dev.berth.sidecar.metric.ClaimMetrics;
import dev.berth.sidecar.metric.SidecarMetrics;
import dev.berth.sidecar.metric.SidecarMetrics.Drivers;
import dev.berth.sidecar.write.LifeMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// The sidecars of some drivers, over one set of caches; each driver comes, goes and fails by
/// itself (ONE-12, ONE-13, ONE-26).
public final class SidecarProcess implements AutoCloseable {
  /// PROV-173: how long a leader may go on without having said so.
  public static final Duration STUCK = Duration.ofSeconds(20);

  /// A large cluster's pods are most of what sidecars keep in memory (ONE-14, RSZ-64).
  private static final Kind<Pod> PODS =
      new Kind<>(Resources.PODS, pod -> Kinds.POD.read().apply(pod).bare());

  private final SystemTime time = new SystemTime("sidecars");
  private final PrometheusRegistry metrics = new PrometheusRegistry();
  private final Caches caches;
  private final Map<Path, DriverSidecars> drivers = new LinkedHashMap<>();
  private final boolean elected;
  private Optional<TextEndpoint> endpoint = Optional.empty();

  /// @param sockets absolute paths; none need exist yet
  public SidecarProcess(Api api, List<Path> sockets, SidecarOptions options) {
    caches = new Caches(api, time, scopes(options));
    elected = options.leadership() instanceof Leadership.Elected;
    var names = new DriverNames();
    var measured =
        new SidecarMetrics(
            new LoopMetrics(metrics), metrics, sockets.size() == 1 ? Drivers.ONE : Drivers.SEVERAL);
    ProcessMetrics.register(metrics);
    var counting =
        options
            .with(options.health().counting(new HealthMetrics(metrics)))
            .with(options.provisioner().counting(new LifeMetrics(metrics)));
    ClaimMetrics.register(metrics, caches::snapshot, time);
    ClaimHealthMetrics.register(metrics, caches::snapshot, this::watchesHealthOf);
    var host = hostName() + "_" + UUID.randomUUID();
    Recorders recorders =
        (door, sidecar, driver) ->
            new ApiEventRecorder(door, time, sidecar.eventSource(driver, host), "");
    for (var socket : sockets)
      drivers.put(
          socket, new DriverSidecars(socket, names, caches, time, measured, recorders, counting));
  }

  /// Everything, but of what is published of room only our own namespace's: upstream's rights show
  /// no other (PROV-189).
  static List<Scope<?>> scopes(SidecarOptions options) {
    var scopes = new ArrayList<Scope<?>>();
    for (var kind : Set.copyOf(DriverSidecars.KINDS))
      if (kind.equals(Kinds.POD)) scopes.add(Scope.all(PODS));
      else if (!kind.equals(Kinds.STORAGE_CAPACITY)) scopes.add(Scope.all(kind));
    scopes.add(
        options
            .capacity()
            .map(capacity -> Scope.of(Kinds.STORAGE_CAPACITY, capacity.namespace()))
            .orElseGet(() -> Scope.all(Kinds.STORAGE_CAPACITY)));
    return scopes;
  }

  /// Answers probes and Prometheus from now on, whether it leads or not.
  ///
  /// @param profiling whether `/debug/pprof/` is there too (PROV-173)
  /// @throws IOException if the address cannot be had
  public void listen(InetSocketAddress address, String metricsPath, boolean profiling)
      throws IOException {
    var http = new TextEndpoint(address);
    endpoint = Optional.of(http);
    if (profiling) Profiling.serve(http);
    http.serve("/livez", () -> Text.OK);
    http.serve("/readyz", this::ready);
    if (elected) http.serve("/healthz/leader-election", this::leading); // as upstream: PROV-173
    http.serveMetrics(metricsPath, metrics);
  }

  /// Begins to seek the drivers; returns at once.
  ///
  /// @param useless told of each driver for which none of the sidecars has anything to do, and why
  public void start(Consumer<String> useless) {
    drivers.values().forEach(driver -> driver.start(useless));
  }

  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException nameless) {
      return "unknown";
    }
  }

  private Text ready() {
    var report = new Readiness();
    drivers.forEach((socket, driver) -> {
      if (driver.contact() instanceof Contact.Seeking(var since, var why))
        report.lacks("%s: %s, since %s".formatted(socket, why, since));
      report.of(driver.troubles(), driver.isIdle());
    });
    report.of(caches.unfilled(), caches.refused().keySet());
    return report.text();
  }

  /// One alone tells of a volume, or sums over processes would count it twice.
  private boolean watchesHealthOf(String driver) {
    return drivers.values().stream().anyMatch(it -> it.watchesHealthOf(driver));
  }

  private Text leading() {
    boolean stuck = drivers.values().stream().anyMatch(it -> it.isStuck(STUCK));
    return leading(stuck);
  }

  public static Text leading(boolean stuck) {
    return stuck ? new Text(500, "a Lease has run out, and was not renewed") : Text.OK;
  }

  /// Begins nothing more, lets what runs end, and gives the Leases up.
  @Override
  public void close() {
    endpoint.ifPresent(TextEndpoint::close);
    CompletableFuture.allOf( // one that has a call to wait for keeps no other from giving up
            drivers.values().stream()
                .map(DriverSidecars::stop)
                .toArray(CompletableFuture<?>[]::new))
        .join();
    caches.close();
    time.close();
  }
}
