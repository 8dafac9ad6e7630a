package dev.berth.cli.stack;

import dev.berth.controller.attachdetach.AttachDetach;
import dev.berth.controller.binder.Binder;
import dev.berth.controller.protection.Protection;
import dev.berth.controller.scheduler.Scheduler;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.time.Time;

/// The controllers: what kube-controller-manager and kube-scheduler do for storage.
final class ControlPlane {
  private ControlPlane() {}

  static Loops start(Caches caches, Time time, LoopMetrics metrics) {
    var loops = new Loops(caches, time, metrics);
    var api = caches.api();

    var binderEvents = recorder(caches, time, Binder.COMPONENT);
    var binder = new Binder(api, binderEvents, Binder.Options.DEFAULT);
    loops.start(binder.claims(), binderEvents);
    loops.start(binder.volumes(), binderEvents);

    var schedulerEvents = recorder(caches, time, Scheduler.COMPONENT);
    var scheduler =
        new Scheduler(api, caches::snapshot, schedulerEvents, Scheduler.Options.DEFAULT);
    loops.start(scheduler.pods(), schedulerEvents);

    var attachEvents = recorder(caches, time, AttachDetach.COMPONENT);
    var attachDetach = new AttachDetach(api, attachEvents, AttachDetach.Options.DEFAULT);
    loops.start(attachDetach.volumes(), attachEvents);
    loops.start(attachDetach.orphans(), attachEvents);
    loops.start(attachDetach.pods(), attachEvents);

    var protectionEvents = recorder(caches, time, Protection.COMPONENT);
    var protection = new Protection(api);
    loops.start(protection.claims(), protectionEvents);
    loops.start(protection.volumes(), protectionEvents);
    loops.start(protection.attributesClasses(), protectionEvents);
    return loops;
  }

  static EventRecorder recorder(Caches caches, Time time, String component) {
    return new ApiEventRecorder(caches.api(), time, component, "");
  }
}
