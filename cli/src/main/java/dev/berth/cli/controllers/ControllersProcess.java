package dev.berth.cli.controllers;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.Given;
import dev.berth.cli.sidecars.Clusters;
import dev.berth.cli.sidecars.Launch;
import dev.berth.cli.sidecars.LogFlags;
import dev.berth.cli.sidecars.MetricsPath;
import dev.berth.cli.sidecars.ProcessMetrics;
import dev.berth.cli.sidecars.RateFlags;
import dev.berth.cli.sidecars.Readiness;
import dev.berth.cli.sidecars.SidecarProcess;
import dev.berth.controller.ControllerMetrics;
import dev.berth.controller.Means;
import dev.berth.controller.roster.Controllers;
import dev.berth.controller.roster.Controllers.Entry;
import dev.berth.controller.roster.Member;
import dev.berth.driver.process.TextEndpoint;
import dev.berth.driver.process.TextEndpoint.Text;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.Caller.Urgency;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.fact.Trigger;
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
import dev.berth.kube.time.SystemTime;
import dev.berth.sidecar.Duty;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Some of the controllers against one API server, until SIGTERM: those that upstream runs under
/// one Lease run under one Lease here, the others beside them (RUN-02). Who loses its Lease writes
/// nothing more, and waits for it again.
public final class ControllersProcess implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ControllersProcess.class);

  private final Given given;
  private final Settings settings;
  private final SystemTime time = new SystemTime("controllers");
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final LoopMetrics metrics = new LoopMetrics(registry);
  private final ControllerMetrics counts = new ControllerMetrics(registry);
  private final Caches caches;
  private final Api leases;
  private final Map<String, Duty> duties = new LinkedHashMap<>();
  private Optional<TextEndpoint> endpoint = Optional.empty();

  /// @param settings what `given` means
  /// @param leases a client that does nothing else (ONE-20)
  ControllersProcess(Given given, Settings settings, Api api, Api leases) {
    this.given = given;
    this.settings = settings;
    this.leases = leases;
    caches = new Caches(api, time, Controllers.scopes(Controllers.KINDS));
    ProcessMetrics.register(registry);
    if (settings.chosen().contains(Member.BINDER))
      ControllerMetrics.showBound(registry, caches::snapshot);
    if (settings.chosen().contains(Member.ATTACH_DETACH))
      ControllerMetrics.showAttached(registry, caches::snapshot);
    var all = Controllers.of(settings.options());
    var byLease = new LinkedHashMap<String, List<Entry>>();
    for (var entry : all.entries())
      if (settings.chosen().contains(entry.member()))
        byLease
            .computeIfAbsent(entry.concern().role().lease().orElseThrow(), _ -> new ArrayList<>())
            .add(entry);
    var held = new LeaseMetrics(registry);
    byLease.forEach((lease, entries) -> {
      var duty = duty(lease, entries, all);
      duties.put(lease, duty);
      settings.elected().ifPresent(it -> held.observe(it.lease(lease).name(), duty::leads));
    });
  }

  /// Returns when the process is asked to end, and what it held is given up.
  ///
  /// @throws Problem if something of the command line cannot be
  public static void run(Given given, Set<String> idle) throws InterruptedException {
    LogFlags.obey(given);
    var settings = Settings.of(given);
    var stop = new CountDownLatch(1);
    var ended = new CountDownLatch(1);
    var kubeconfig = given.find("kubeconfig");
    try (var api = Clusters.api(kubeconfig, given.find("master"));
        var leases = Clusters.api(kubeconfig, given.find("master"));
        var process = new ControllersProcess(given, settings, api, leases)) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> Launch.end(stop, ended), "shut-down"));
      process.tell(idle);
      process.start();
      stop.await();
    } finally {
      ended.countDown();
    }
  }

  private void tell(Set<String> idle) {
    log.info(
        "berth controllers {}, as {}: {}",
        Launch.version(),
        given.program().matched(),
        settings.chosen().stream().sorted().map(Member::title).collect(Collectors.joining(", ")));
    if (!idle.isEmpty())
      log.info("taken, and without effect here: --{}", String.join(", --", idle));
  }

  /// Returns at once.
  ///
  /// @throws Problem if the address of metrics and probes cannot be had
  void start() {
    settings
        .endpoint()
        .ifPresent(address -> {
          try {
            listen(new TextEndpoint(address));
          } catch (IOException taken) {
            throw new Problem("--http-endpoint %s: %s".formatted(address, taken.getMessage()));
          }
        });
    duties.values().forEach(Duty::start);
  }

  private void listen(TextEndpoint http) {
    endpoint = Optional.of(http);
    http.serve("/healthz", () -> Text.OK);
    http.serve("/livez", () -> Text.OK);
    http.serve("/readyz", this::ready);
    http.serve(
        "/healthz/leader-election",
        () ->
            SidecarProcess.leading(
                duties.values().stream()
                    .anyMatch(it -> it.isStuck(time.now(), SidecarProcess.STUCK))));
    http.serveMetrics(MetricsPath.of(given.text("metrics-path")), registry);
  }

  private Text ready() {
    var report = new Readiness();
    for (var duty : duties.values()) {
      duty.vacancy().ifPresent(report::lacks);
      report.of(duty.troubles(), !duty.isUp());
    }
    report.of(caches.unfilled(), caches.refused().keySet());
    return report.text();
  }

  /// Those that run under one Lease.
  private Duty duty(String lease, List<Entry> entries, Controllers all) {
    var made = new AtomicReference<Duty>();
    var concerns = entries.stream().<Concern<Means, ?, ?, ?>>map(Entry::concern).toList();
    caches.want(kinds(concerns));
    Runnable fence =
        () -> {
          if (made.get() == null || !made.get().leads()) throw new Deposed("a write");
        };
    var name =
        entries.stream()
            .map(it -> it.member().brief())
            .distinct()
            .collect(Collectors.joining(", "));
    var rival = rival(lease, entries);
    var duty =
        new Duty(
            name,
            time,
            () -> concerns.stream().<Loop<?>>map(it -> loop(it, all, fence)).toList(),
            rival.<Supplier<Optional<String>>>map(it -> it::inTheWay).orElse(Optional::empty),
            changed -> {
              var own = tenure(lease, changed);
              return rival
                  .<Tenure>map(it -> new Unrivalled(own, it::look, Unrivalled.PACE, time, changed))
                  .orElse(own);
            });
    made.set(duty);
    return duty;
  }

  /// Whom these would stand beside, and no Lease keeps them apart.
  private Optional<Rival> rival(String lease, List<Entry> entries) {
    boolean attaches = entries.stream().anyMatch(it -> it.member() == Member.ATTACH_DETACH);
    boolean keptOut =
        settings
            .elected()
            .map(it -> it.lease(lease))
            .filter(it -> it.name().equals(LeaseNames.CONTROLLER_MANAGER))
            .filter(it -> it.namespace().equals(LeaseNames.SYSTEM))
            .isPresent();
    return !attaches || keptOut || settings.takeover()
        ? Optional.empty()
        : Optional.of(new Rival(leases));
  }

  /// All that they read.
  private static Set<Kind<?>> kinds(List<Concern<Means, ?, ?, ?>> concerns) {
    var kinds = new LinkedHashSet<Kind<?>>();
    for (var concern : concerns)
      for (var trigger : concern.decider().triggers())
        if (trigger instanceof Trigger.OnKind<?, ?> on) kinds.add(on.kind());
    return kinds;
  }

  private Loop<?> loop(Concern<Means, ?, ?, ?> concern, Controllers all, Runnable fence) {
    var caller = new Caller(Urgency.INTERACTIVE, RateFlags.of(given), fence);
    var events =
        new ApiEventRecorder(
            caches.api().by(caller.with(Urgency.POLLING)), time, concern.role().eventSource(), "");
    var means = new Means(caches.api().by(caller), caches::snapshot, events, counts);
    return new Loop<>(
        concern.controller(means), caches, all.sources(), time, events, Pace.CONTROLLER, metrics);
  }

  private Tenure tenure(String upstream, Runnable changed) {
    if (settings.elected().isEmpty()) return Tenure.UNOPPOSED;
    var elected = settings.elected().get();
    var lease = elected.lease(upstream);
    var events = new ApiEventRecorder(leases, time, upstream, "");
    return new Election(
        leases, lease, elected.identity(), Map.of(), elected.terms(), time, events, changed);
  }

  /// Begins nothing more, lets what runs end, and gives the Leases up.
  @Override
  public void close() {
    endpoint.ifPresent(TextEndpoint::close);
    CompletableFuture.allOf(
            duties.values().stream().map(Duty::stop).toArray(CompletableFuture<?>[]::new))
        .join();
    caches.close();
    time.close();
  }
}
