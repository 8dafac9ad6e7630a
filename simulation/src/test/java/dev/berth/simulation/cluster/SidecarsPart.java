package dev.berth.simulation.cluster;

import dev.berth.kube.loop.Pace;
import dev.berth.sidecar.DriverSidecars;
import dev.berth.sidecar.attacher.Attacher;
import dev.berth.sidecar.attacher.AttacherOptions;
import dev.berth.sidecar.connection.Introduction;
import dev.berth.sidecar.provisioner.Provisioner;
import dev.berth.sidecar.provisioner.ProvisionerOptions;
import dev.berth.sidecar.reclaimer.Reclaimer;
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
    loops.add(
        Provisioner.of(
            facts, ProvisionerOptions.DEFAULT, calls, api, events, process, process.name()),
        Pace.SIDECAR,
        events);
    loops.add(Reclaimer.of(facts, calls, api, events), Pace.SIDECAR, events);
    loops.add(
        Attacher.of(facts, AttacherOptions.DEFAULT, calls, api, events, process),
        Pace.SIDECAR,
        events);
    loops.start();
    return loops;
  }
}
