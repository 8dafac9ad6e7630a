package dev.berth.sidecar;

import dev.berth.csi.client.CsiConnection;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.loop.Sources;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// The loops that work for one driver on one connection.
///
/// @param told what runs and why, for the log (ONE-11)
record DriverLoops(String told, List<Loop<?>> loops) {
  /// The attacher bounds its calls itself; this only keeps the number of threads finite.
  private static final int ATTACHMENTS = 4096;

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
    return new DriverLoops(
        told(driver),
        List.of(
            maker.loop(deciders.provisioner(), pace),
            maker.loop(deciders.reclaimer(), pace),
            maker.loop(deciders.attacher(), pace.parallel(ATTACHMENTS))));
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
    loops.forEach(Loop::start);
  }

  /// @return done when nothing runs any more
  CompletableFuture<Void> stop() {
    return CompletableFuture.allOf(
        loops.stream().map(Loop::stop).toArray(CompletableFuture<?>[]::new));
  }
}
