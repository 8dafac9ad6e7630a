package dev.berth.simulation.cluster;

import dev.berth.controller.Means;
import dev.berth.controller.endpoint.ServiceEndpoints;
import dev.berth.controller.roster.Controllers;
import dev.berth.controller.roster.Member;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.model.Kinds;
import dev.berth.simulation.api.SimulatedServer;
import dev.berth.simulation.driver.SimulatedDriver.Ability;
import dev.berth.simulation.time.SimulatedProcess;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/// Kubernetes' own controllers and its scheduler; what looks at groups and at claims as sources
/// only where snapshots are taken, and what keeps sets only where there are some, so that the seeds
/// of other clusters go the ways that they went before. Nor do nodes that never die need anybody
/// who watches over them.
record ControllersPart(SimulatedServer server, Ability ability, Fate fate) implements Part {
  private static final List<String> WITH_SNAPSHOTS =
      List.of(
          "snapshot-controller-claim",
          "snapshot-controller-group-content",
          "snapshot-controller-group-snapshot");

  private static final List<String> WITH_SETS =
      List.of(
          "daemonset",
          "deployment",
          "job",
          "replicaset",
          "statefulset",
          "endpointslice",
          "endpoints");

  private static final Set<Member> OVER_NODES =
      Set.of(Member.NODE_LIFECYCLE, Member.TAINT_EVICTION, Member.POD_GARBAGE_COLLECTOR);

  @Override
  public String name() {
    return "controllers";
  }

  @Override
  public Loops start(SimulatedProcess process) {
    var kinds =
        Controllers.KINDS.stream()
            .filter(kind -> fate == Fate.MORTAL || !kind.equals(Kinds.LEASE))
            .filter(kind -> ability == Ability.SETS || !ServiceEndpoints.KINDS.contains(kind))
            .toList();
    var loops = new Loops(process, server.client(process), kinds);
    long longest = ability == Ability.CROWDS ? 3_000 : 500;
    var controllers = Controllers.of(Controllers.Options.DEFAULT);
    for (var entry : controllers.entries()) {
      var concern = entry.concern();
      if (fate == Fate.IMMORTAL && OVER_NODES.contains(entry.member())) continue;
      if (ability != Ability.SNAPSHOTS && WITH_SNAPSHOTS.contains(concern.decider().name()))
        continue;
      if (ability != Ability.SETS && WITH_SETS.contains(concern.decider().name())) continue;
      var events = loops.events(concern.role().eventSource());
      var means =
          new Means(loops.api(), () -> held(process, loops.caches().snapshot(), longest), events);
      loops.add(concern.controller(means), controllers.sources(), Pace.CONTROLLER, events);
    }
    loops.start();
    return loops;
  }

  /// A thread may stand still behind whatever it has read, and others go on meanwhile.
  ///
  /// @param longest milliseconds
  private static Snapshot held(SimulatedProcess process, Snapshot read, long longest) {
    if (process.random().nextInt(3) == 0)
      process.pause(Duration.ofMillis(process.random().nextLong(1, longest)));
    return read;
  }
}
