package dev.berth.cli.sidecars;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.Given;
import dev.berth.controller.Means;
import dev.berth.controller.snapshot.Snapshots;
import dev.berth.controller.snapshot.group.GroupSnapshots;
import dev.berth.controller.snapshot.metric.SnapshotCounts;
import dev.berth.controller.snapshot.metric.SnapshotOperations;
import dev.berth.driver.process.TextEndpoint;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.Caller.Urgency;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.lease.Deposed;
import dev.berth.kube.lease.Election;
import dev.berth.kube.lease.LeaseMetrics;
import dev.berth.kube.lease.Tenure;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.Kind;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.kube.time.Backoff;
import dev.berth.kube.time.SystemTime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The snapshot controller as a process of its own, one for a cluster, by upstream's command line.
public final class SnapshotControllerProcess {
  private static final Duration ASK = Duration.ofMillis(500);
  private static final List<Resource> NEEDED =
      List.of(SnapshotResources.SNAPSHOTS, SnapshotResources.CONTENTS, SnapshotResources.CLASSES);

  private static final List<Resource> GROUPS =
      List.of(
          SnapshotResources.GROUP_SNAPSHOTS,
          SnapshotResources.GROUP_CONTENTS,
          SnapshotResources.GROUP_CLASSES);
  private static final Logger log = LoggerFactory.getLogger(SnapshotControllerProcess.class);

  private final Given given;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final List<Loop<?>> loops = new ArrayList<>();
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private Runnable measure = () -> {};
  private boolean groups;
  private boolean acting;
  private boolean lost;

  public SnapshotControllerProcess(Given given) {
    this.given = given;
  }

  /// Returns when the process is asked to end, or has lost its Lease.
  ///
  /// @return exit code
  /// @throws Problem if the cluster does not serve snapshots
  public int run() throws InterruptedException {
    LogFlags.obey(given);
    Settings.check(given);
    var ended = new CountDownLatch(1);
    try (var api = Clusters.api(given.find("kubeconfig"), Optional.empty());
        var leases = Clusters.api(given.find("kubeconfig"), Optional.empty());
        var time = new SystemTime("snapshot-controller");
        var caches = Caches.of(api, time, kinds(Snapshots.KINDS))) {
      awaitKinds(api, given.time("retry-crd-interval-max"));
      groups = servesGroups(api);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> end(ended), "shut-down"));
      var tenure = tenure(leases, time);
      make(caches, time, tenure);
      caches.want(groups ? kinds(Snapshots.kinds(options())) : Snapshots.kinds(options()));
      var endpoint = listen(() -> tenure.isStuck(time.now(), SidecarProcess.STUCK));
      // whoever stands by has its caches filled, too: a roll-out waits for that
      endpoint.ifPresent(http -> http.serve("/readyz", () -> Readiness.of(caches)));
      tenure.start();
      reconcile(tenure.leads());
      stop.await();
      loops.forEach(loop -> loop.stop().join());
      tenure.release();
      endpoint.ifPresent(TextEndpoint::close);
    } finally {
      ended.countDown();
    }
    return lost ? 1 : 0;
  }

  private Optional<TextEndpoint> listen(BooleanSupplier stuck) {
    var address = given.find("http-endpoint");
    if (address.isEmpty()) return Optional.empty();
    ProcessMetrics.register(registry);
    try {
      return Optional.of(
          endpoint(
              Launch.address(address.get()),
              MetricsPath.of(given.text("metrics-path")),
              registry,
              Optional.of(stuck).filter(_ -> given.isOn("leader-election"))));
    } catch (IOException taken) {
      throw new Problem("--http-endpoint %s: %s".formatted(address.get(), taken.getMessage()));
    }
  }

  /// Probes and metrics, whether it leads or not.
  ///
  /// @param stuck whether its Lease has run out without its knowing; empty: it has none
  static TextEndpoint endpoint(
      InetSocketAddress address,
      String metrics,
      PrometheusRegistry registry,
      Optional<BooleanSupplier> stuck)
      throws IOException {
    var http = new TextEndpoint(address);
    stuck.ifPresent(it ->
        http.serve("/healthz/leader-election", () -> SidecarProcess.leading(it.getAsBoolean())));
    http.serveMetrics(metrics, registry);
    return http;
  }

  private void end(CountDownLatch ended) {
    stop.countDown();
    try {
      ended.await();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  /// Nothing is written any more once the Lease is lost (ONE-19).
  private void make(Caches caches, SystemTime time, Tenure tenure) {
    Runnable fence =
        () -> {
          if (!tenure.leads()) throw new Deposed("a write");
        };
    var caller = new Caller(Urgency.INTERACTIVE, RateFlags.of(given), fence);
    var api = caches.api().by(caller);
    var told = caches.api().by(caller.with(Urgency.POLLING));
    var events = new ApiEventRecorder(told, time, Snapshots.ROLE.eventSource(), "");
    var means = new Means(api, caches::snapshot, events);
    var pace =
        Pace.SIDECAR
            .retry(
                new Backoff(given.time("retry-interval-start"), given.time("retry-interval-max")))
            .parallel(given.whole("worker-threads"));
    var metrics = new LoopMetrics(registry);
    for (var concern : concerns())
      loops.add(
          new Loop<>(concern.controller(means), caches, Sources.NONE, time, events, pace, metrics));
    var operations = new SnapshotOperations(groups, time, registry);
    measure =
        () -> {
          caches.follow(operations.kinds(), operations);
          SnapshotCounts.show(time, registry, caches::snapshot);
        };
  }

  private Snapshots.Options options() {
    return new Snapshots.Options(
        given.isOn("enable-distributed-snapshotting"),
        given.isOn("prevent-volume-mode-conversion"),
        groups);
  }

  private List<Concern<Means, ?, ?, ?>> concerns() {
    var concerns = new ArrayList<>(Snapshots.concerns(options()));
    if (groups) concerns.addAll(GroupSnapshots.concerns());
    return concerns;
  }

  /// With what groups need beside it.
  private static List<Kind<?>> kinds(List<Kind<?>> some) {
    return Stream.concat(some.stream(), GroupSnapshots.KINDS.stream()).toList();
  }

  /// SNAP-70: a cluster without them, or that does not show them, has single snapshots none the
  /// less.
  private boolean servesGroups(Api api) {
    if (!given.gate("CSIVolumeGroupSnapshot", true)) return false;
    var missing = missing(api, GROUPS);
    missing.ifPresent(it -> log.warn("no groups until the next start: {}", it.remedied()));
    return missing.isEmpty();
  }

  /// Whoever has lost the Lease ends, as upstream's program does.
  private synchronized void reconcile(boolean leads) {
    if (leads && !acting) {
      acting = true;
      loops.forEach(Loop::start);
      measure.run(); // SNAP-93: who stands by has seen no operation begin, and counts nothing twice
    } else if (!leads && acting) {
      lost = true;
      stop.countDown();
    }
  }

  private Tenure tenure(Api leases, SystemTime time) {
    if (!given.isOn("leader-election")) return Tenure.UNOPPOSED;
    var lease =
        ObjectKey.of(
            given.find("leader-election-namespace").orElseGet(Launch::podNamespace),
            LeaseNames.SNAPSHOT_CONTROLLER);
    var held = new Tenure[1];
    var identity = identity(given);
    held[0] =
        new Election(
            leases,
            lease,
            identity,
            Map.of(),
            Settings.terms(given),
            time,
            new ApiEventRecorder(leases, time, lease.name() + "/" + identity, ""),
            () -> reconcile(held[0].leads()));
    new LeaseMetrics(registry).observe(LeaseNames.SNAPSHOT_CONTROLLER, held[0]::leads);
    return held[0];
  }

  /// ONE-20: what this process calls itself; two on one host need a name each.
  static String identity(Given given) {
    return LeaseNames.clean(
        given.find("leader-election-identity").orElseGet(SnapshotControllerProcess::hostName));
  }

  private static String hostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException nameless) {
      return "snapshot-controller";
    }
  }

  /// A cluster that does not serve the kinds in time has to be told to.
  ///
  /// @throws Problem if it does not, does not show them, or is not reached
  static void awaitKinds(Api api, Duration patience) throws InterruptedException {
    var deadline = Instant.now().plus(patience);
    var missing = missing(api, NEEDED);
    while (missing.isPresent()) {
      if (Instant.now().isAfter(deadline)) throw new Problem(missing.get().remedied());
      Thread.sleep(ASK);
      missing = missing(api, NEEDED);
    }
  }

  /// A kind that cannot be had, and what the server says of that.
  record Missing(Resource resource, ApiException refused) {
    String remedied() {
      var why = refused.getMessage();
      if (refused instanceof ApiException.Unreachable)
        return "the cluster cannot be reached: %s; see that --kubeconfig names one that runs"
            .formatted(why);
      var what = resource.plural();
      return switch (refused.code()) {
        case 404 ->
            "the cluster does not serve %s: %s; install the definitions: berth crds | kubectl apply -f -"
                .formatted(what, why);
        case 401, 403 ->
            "the cluster does not show %s: %s; give this controller's account the verbs get, list and watch on them"
                .formatted(what, why);
        default ->
            "the cluster could not be asked for %s: %s; look at the API server's log, then start again"
                .formatted(what, why);
      };
    }
  }

  private static Optional<Missing> missing(Api api, List<Resource> resources) {
    for (var resource : resources) {
      try {
        api.list(resource, "", Selector.ALL);
      } catch (ApiException refused) {
        return Optional.of(new Missing(resource, refused));
      }
    }
    return Optional.empty();
  }
}
