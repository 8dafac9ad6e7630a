package dev.berth.simulation.cluster;

import dev.berth.kube.loop.Pace;
import dev.berth.kube.loop.Sources;
import dev.berth.sidecar.DriverSidecars;
import dev.berth.sidecar.SidecarDeciders;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.connection.Introduction;
import dev.berth.sidecar.connection.Means;
import dev.berth.simulation.api.SimulatedServer;
import dev.berth.simulation.driver.SimulatedDriver;
import dev.berth.simulation.time.SimulatedProcess;

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
    var facts = new Introduction(driver.identity(), calls).facts();
    var api = loops.api();
    var events = loops.events(facts.name());
    var means = new Means(api, events, process, calls, calls, process.name());
    for (var concern : SidecarDeciders.of(facts, SidecarOptions.DEFAULT).all())
      loops.add(concern.controller(means), Sources.NONE, Pace.SIDECAR, events);
    loops.start();
    return loops;
  }
}
