package dev.berth.sidecar;

import dev.berth.csi.client.CsiConnection;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.loop.Unsplit;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.attacher.Attacher;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.Provisioner;
import dev.berth.sidecar.reclaimer.Reclaimer;
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
    var provision = connection.controller(options.provisionTimeout());
    var attach = connection.controller(options.attachTimeout());
    var api = caches.api();
    var pace = options.pace();
    var maker = new Maker(caches, time, metrics, events);
    return new DriverLoops(
        told(driver),
        List.of(
            maker.loop(
                Provisioner.of(
                    driver,
                    options.provisioner(),
                    provision,
                    api,
                    events,
                    time,
                    identity(driver, time)),
                pace),
            maker.loop(Reclaimer.of(driver, provision, api, events), pace),
            maker.loop(
                Attacher.of(driver, options.attacher(), attach, api, events, time),
                pace.parallel(ATTACHMENTS))));
  }

  private record Maker(Caches caches, Time time, LoopMetrics metrics, EventRecorder events) {
    <K, V> Loop<K> loop(Unsplit<K, V> controller, Pace pace) {
      return new Loop<>(controller, caches, time, events, pace, metrics);
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
