package dev.berth.cli.stack;

import dev.berth.controller.ControllerMetrics;
import dev.berth.controller.Means;
import dev.berth.controller.roster.Controllers;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.Caller.Urgency;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.time.Time;
import java.util.Optional;

/// The controllers: what kube-controller-manager and kube-scheduler do for storage.
final class ControlPlane {
  /// Those whose writes policies and webhooks judge, as users' own.
  private static final Caller CONTROLLERS =
      new Caller(Urgency.INTERACTIVE, Optional.empty(), () -> {});

  private ControlPlane() {}

  static Loops start(Caches caches, Time time, LoopMetrics metrics, ControllerMetrics counts) {
    var loops = new Loops(caches, time, metrics);
    var controllers = Controllers.of(Controllers.Options.DEFAULT);
    for (var concern : controllers.concerns()) {
      var events = recorder(caches, time, concern.role().eventSource());
      var means = new Means(caches.api().by(CONTROLLERS), caches::snapshot, events, counts);
      loops.start(concern.controller(means), controllers.sources(), events);
    }
    return loops;
  }

  static EventRecorder recorder(Caches caches, Time time, String component) {
    return new ApiEventRecorder(caches.api(), time, component, "");
  }
}
