package dev.berth.simulation.cluster;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.GroupControllerCalls;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Pace;
import dev.berth.sidecar.DriverSidecars;
import dev.berth.sidecar.SidecarDeciders;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.connection.DriverCalls;
import dev.berth.sidecar.connection.Introduction;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.health.HealthOptions;
import dev.berth.simulation.api.SimulatedServer;
import dev.berth.simulation.driver.SimulatedDriver;
import dev.berth.simulation.time.SimulatedProcess;
import java.time.Duration;
import java.util.Optional;

/// The driver's sidecars.
record SidecarsPart(SimulatedServer server, SimulatedDriver driver) implements Part {
  @Override
  public String name() {
    return "sidecars";
  }

  @Override
  public Loops start(SimulatedProcess process) {
    var loops = new Loops(process, server.client(process), DriverSidecars.KINDS);
    var calls = driver.controller(process);
    var untimed = new Untimed(calls, driver.groups(process));
    var facts =
        new Introduction(driver.identity(), untimed, Optional.empty(), Optional.empty()).facts();
    var api = loops.api();
    var events = loops.events(facts.name());
    var means = new Means(api, events, process, untimed, process.name());
    for (var part : SidecarDeciders.of(facts, options()).parts())
      for (var work : part.works())
        loops.add(
            work.concern().controller(means), Sources.of(part.sources()), Pace.SIDECAR, events);
    loops.start();
    return loops;
  }

  /// Where health is told, often enough that much of it happens in a short life.
  private SidecarOptions options() {
    var usual = SidecarOptions.DEFAULT;
    if (!driver.ability().tellsHealth()) return usual;
    return usual.with(
        new HealthOptions(
            Duration.ofSeconds(20),
            Duration.ofSeconds(10),
            usual.health().workers(),
            usual.health().timeout(),
            false,
            usual.health().metrics()));
  }

  /// What is slow here is slow on simulated time.
  private record Untimed(ControllerCalls calls, GroupControllerCalls groups)
      implements DriverCalls {
    @Override
    public ControllerCalls controller(Duration timeout) {
      return calls;
    }

    @Override
    public GroupControllerCalls groups(Duration timeout) {
      return groups;
    }
  }
}
