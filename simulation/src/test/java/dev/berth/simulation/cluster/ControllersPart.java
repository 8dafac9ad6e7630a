package dev.berth.simulation.cluster;

import dev.berth.controller.attachdetach.AttachDetach;
import dev.berth.controller.binder.Binder;
import dev.berth.controller.protection.Protection;
import dev.berth.controller.scheduler.Scheduler;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.model.Kinds;
import dev.berth.simulation.api.SimulatedServer;
import dev.berth.simulation.time.SimulatedProcess;
import java.time.Duration;
import java.util.List;

/// Kubernetes' own controllers and its scheduler.
record ControllersPart(SimulatedServer server) implements Part {
  @Override
  public String name() {
    return "controllers";
  }

  @Override
  public Loops start(SimulatedProcess process) {
    var kinds =
        List.of(
            Kinds.CLAIM,
            Kinds.VOLUME,
            Kinds.STORAGE_CLASS,
            Kinds.POD,
            Kinds.NODE,
            Kinds.ATTACHMENT,
            Kinds.CSI_NODE,
            Kinds.CSI_DRIVER,
            Kinds.STORAGE_CAPACITY,
            Kinds.ATTRIBUTES_CLASS);
    var loops = new Loops(process, server.client(process), kinds);
    var api = loops.api();

    var binding = loops.events(Binder.COMPONENT);
    var binder = new Binder(api, binding, Binder.Options.DEFAULT);
    loops.add(binder.claims(), Pace.CONTROLLER, binding);
    loops.add(binder.volumes(), Pace.CONTROLLER, binding);

    var scheduling = loops.events(Scheduler.COMPONENT);
    var scheduler =
        new Scheduler(
            api,
            () -> held(process, loops.caches().snapshot()),
            scheduling,
            Scheduler.Options.DEFAULT);
    loops.add(scheduler.pods(), Pace.CONTROLLER, scheduling);

    var attaching = loops.events(AttachDetach.COMPONENT);
    var attachDetach = new AttachDetach(api, attaching, AttachDetach.Options.DEFAULT);
    loops.add(attachDetach.volumes(), Pace.CONTROLLER, attaching);
    loops.add(attachDetach.orphans(), Pace.CONTROLLER, attaching);
    loops.add(attachDetach.pods(), Pace.CONTROLLER, attaching);

    var protection = new Protection(api);
    loops.add(protection.claims(), Pace.CONTROLLER, EventRecorder.SILENT);
    loops.add(protection.volumes(), Pace.CONTROLLER, EventRecorder.SILENT);
    loops.add(protection.attributesClasses(), Pace.CONTROLLER, EventRecorder.SILENT);
    loops.start();
    return loops;
  }

  /// A thread may stand still behind whatever it has read, and others go on meanwhile.
  private static Snapshot held(SimulatedProcess process, Snapshot read) {
    if (process.random().nextInt(3) == 0)
      process.pause(Duration.ofMillis(process.random().nextLong(1, 500)));
    return read;
  }
}
