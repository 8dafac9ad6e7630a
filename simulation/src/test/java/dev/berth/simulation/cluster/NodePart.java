package dev.berth.simulation.cluster;

import dev.berth.node.NodeAgent;
import dev.berth.node.NodeScopes;
import dev.berth.node.Surroundings;
import dev.berth.node.driver.Drivers;
import dev.berth.node.identity.NodeFacts;
import dev.berth.node.pod.Equipment;
import dev.berth.simulation.api.SimulatedServer;
import dev.berth.simulation.driver.SimulatedDriver;
import dev.berth.simulation.machine.Machine;
import dev.berth.simulation.time.SimulatedProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/// The agent of one node.
record NodePart(
    String node, SimulatedServer server, SimulatedDriver driver, Machine machine, Fate fate)
    implements Part {
  @Override
  public String name() {
    return node;
  }

  @Override
  public Loops start(SimulatedProcess process) {
    var loops = new Loops(process, server.client(process), NodeScopes.of(node));
    var drivers = new Drivers();
    var agent = agent(process, loops, drivers);
    loops.know(List.of(agent.volumes(), agent.pods()));
    agent.start();
    if (fate == Fate.MORTAL) new Pulse(process, server.client(process), node).start();
    loops.caches().start();
    drivers.register(SimulatedDriver.NAME, driver.node(process, node));
    return loops;
  }

  private NodeAgent agent(SimulatedProcess process, Loops loops, Drivers drivers) {
    try {
      return new NodeAgent(
          NodeFacts.of(node),
          new Equipment(
              machine.runtime(process), machine.volumeFiles(process), machine.podFiles(process)),
          drivers,
          new Surroundings(
              loops.caches(),
              loops.events("kubelet"),
              process,
              loops.metrics(),
              new LateHearing(process),
              Optional.empty()));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
