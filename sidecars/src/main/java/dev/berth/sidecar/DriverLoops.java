package dev.berth.sidecar;

import dev.berth.csi.client.CsiConnection;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.lease.Election;
import dev.berth.kube.lease.Heartbeat;
import dev.berth.kube.lease.Tenure;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.loop.Sources;
import dev.berth.kube.model.LeaseNames;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// The sidecars that work for one driver on one connection.
///
/// @param told what runs and why, for the log (ONE-11)
record DriverLoops(String told, List<Duty> duties) {
  /// The attacher bounds its calls itself; this only keeps the number of threads finite.
  private static final int ATTACHMENTS = 4096;

  private static final Duration LEASE = Duration.ofSeconds(15);

  static DriverLoops of(
      DriverFacts driver,
      CsiConnection connection,
      Caches caches,
      Time time,
      LoopMetrics metrics,
      EventRecorder events,
      SidecarOptions options) {
    var means =
        new Means(
            caches.api(),
            events,
            time,
            connection.controller(options.provisionTimeout()),
            connection.controller(options.attachTimeout()),
            identity(driver, time));
    var deciders = SidecarDeciders.of(driver, options);
    var maker = new Maker(means, caches, metrics);
    var pace = options.pace();
    var tenures = new Tenures(options, caches, time);
    return new DriverLoops(
        told(driver),
        List.of(
            new Duty(
                () ->
                    List.of(
                        maker.loop(deciders.provisioner(), pace),
                        maker.loop(deciders.reclaimer(), pace)),
                tenures.of(LeaseNames.provisioner(driver.name()))),
            new Duty(
                () -> List.of(maker.loop(deciders.attacher(), pace.parallel(ATTACHMENTS))),
                tenures.of(LeaseNames.attacher(driver.name())))));
  }

  private record Tenures(SidecarOptions options, Caches caches, Time time) {
    Function<Runnable, Tenure> of(String lease) {
      return changed ->
          switch (options.leadership()) {
            case Leadership.Elected(var api, var namespace, var identity, var terms) ->
                new Election(api, ObjectKey.of(namespace, lease), identity, terms, time, changed);
            case Leadership.Announced _ ->
                new Heartbeat(
                    caches.api(), ObjectKey.of(LeaseNames.SYSTEM, lease), "berth", LEASE, time);
            case Leadership.Assumed _ -> Tenure.UNOPPOSED;
          };
    }
  }

  private record Maker(Means means, Caches caches, LoopMetrics metrics) {
    Loop<?> loop(Concern<Means, ?, ?, ?> concern, Pace pace) {
      return new Loop<>(
          concern.controller(means),
          caches,
          Sources.NONE,
          means.time(),
          means.events(),
          pace,
          metrics);
    }
  }

  /// PROV-07.
  private static String identity(DriverFacts driver, Time time) {
    return "%d-%d-%s"
        .formatted(time.now().toEpochMilli(), time.random().nextInt(10_000), driver.name());
  }

  private static String told(DriverFacts driver) {
    return "driver %s: provisioner %s, attacher %s, topology %s"
        .formatted(
            driver.name(),
            driver.provisions() ? "on" : "refuses claims, for want of CREATE_DELETE_VOLUME",
            driver.publishes() ? "on" : "only says yes, for want of PUBLISH_UNPUBLISH_VOLUME",
            driver.hasTopology() ? "on" : "off");
  }

  void start() {
    duties.forEach(Duty::start);
  }

  /// @return done when nothing runs any more
  CompletableFuture<Void> stop() {
    return CompletableFuture.allOf(
        duties.stream().map(Duty::stop).toArray(CompletableFuture<?>[]::new));
  }
}
