package dev.berth.simulation.cluster;

import dev.berth.controller.Means;
import dev.berth.controller.roster.Controllers;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Pace;
import dev.berth.simulation.api.SimulatedServer;
import dev.berth.simulation.driver.SimulatedDriver.Ability;
import dev.berth.simulation.time.SimulatedProcess;
import java.time.Duration;
import java.util.List;

/// Kubernetes' own controllers and its scheduler; what looks at groups and at claims as sources
/// only where snapshots are taken, so that the seeds of other clusters go the ways that they went
/// before.
record ControllersPart(SimulatedServer server, Ability ability) implements Part {
  private static final List<String> WITH_SNAPSHOTS =
      List.of(
          "snapshot-controller-claim",
          "snapshot-controller-group-content",
          "snapshot-controller-group-snapshot");

  @Override
  public String name() {
    return "controllers";
  }

  @Override
  public Loops start(SimulatedProcess process) {
    var loops = new Loops(process, server.client(process), Controllers.KINDS);
    var controllers = Controllers.of(Controllers.Options.DEFAULT);
    for (var concern : controllers.concerns()) {
      if (ability != Ability.SNAPSHOTS && WITH_SNAPSHOTS.contains(concern.decider().name()))
        continue;
      var events = loops.events(concern.role().eventSource());
      var means = new Means(loops.api(), () -> held(process, loops.caches().snapshot()), events);
      loops.add(concern.controller(means), controllers.sources(), Pace.CONTROLLER, events);
    }
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
