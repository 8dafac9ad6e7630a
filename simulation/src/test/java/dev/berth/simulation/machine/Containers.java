package dev.berth.simulation.machine;

import dev.berth.node.runtime.Container;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerState;
import dev.berth.simulation.machine.Machine.Running;
import dev.berth.simulation.time.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Containers that run until they are stopped, and some of them until they are killed.
final class Containers implements ContainerRuntime {
  private static final Duration START = Duration.ofMillis(200);
  private static final Duration END = Duration.ofSeconds(4);
  private static final double DEAF = 0.2;
  private static final int TERMINATED = 143;
  private static final int KILLED = 137;

  private final Machine machine;
  private final SimulatedProcess agent;
  private final List<EndListener> listeners = new ArrayList<>();

  Containers(Machine machine, SimulatedProcess agent) {
    this.machine = machine;
    this.agent = agent;
  }

  @Override
  public void listen(EndListener listener) {
    listeners.add(listener);
  }

  @Override
  public void requireImage(String image) {}

  @Override
  public Container start(ContainerSpec spec) {
    agent.pause(machine.time.upTo(START));
    var id = spec.id();
    if (!machine.containers.containsKey(id)) {
      var targets =
          spec.mounts().stream()
              .map(mount -> mount.source().toString())
              .filter(path -> path.startsWith("/pods/"))
              .toList();
      targets.forEach(target -> machine.backend.open(machine.node, target));
      var state = new ContainerState.Running(machine.time.now());
      machine.containers.put(id, new Running(state, targets));
    }
    agent.pause(machine.time.upTo(START));
    return find(id).orElseThrow();
  }

  @Override
  public List<Container> list() {
    return machine.containers.keySet().stream().flatMap(id -> find(id).stream()).toList();
  }

  @Override
  public Optional<Container> find(ContainerId id) {
    return Optional.ofNullable(machine.containers.get(id))
        .map(running -> new Container(id, running.state()));
  }

  @Override
  public void stop(ContainerId id, Duration grace) {
    boolean deaf = machine.time.chance(DEAF);
    var end = machine.time.upTo(END);
    boolean killed = deaf || end.compareTo(grace) > 0;
    agent.pause(killed ? (grace.isNegative() ? Duration.ZERO : grace) : end);
    end(id, killed ? KILLED : TERMINATED);
    agent.pause(Duration.ofMillis(1));
  }

  private void end(ContainerId id, int exitCode) {
    var running = machine.containers.get(id);
    if (running == null || !(running.state() instanceof ContainerState.Running(var started)))
      return;
    running.targets().forEach(target -> machine.backend.close(machine.node, target));
    var exited = new ContainerState.Exited(started, machine.time.now(), exitCode);
    machine.containers.put(id, new Running(exited, List.of()));
    for (var listener : listeners) agent.start(() -> listener.ended(id));
  }

  @Override
  public void remove(ContainerId id) {
    agent.pause(Duration.ofMillis(1));
    end(id, KILLED);
    machine.containers.remove(id);
  }

  @Override
  public String terminationMessage(ContainerId id) {
    return "";
  }

  @Override
  public void close() {
    listeners.clear();
  }
}
