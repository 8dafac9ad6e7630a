package dev.berth.simulation.machine;

import dev.berth.node.runtime.Container;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.ContainerState;
import dev.berth.simulation.machine.Machine.Running;
import dev.berth.simulation.time.SimulatedProcess;
import java.time.Duration;
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

  Containers(Machine machine, SimulatedProcess agent) {
    this.machine = machine;
    this.agent = agent;
  }

  @Override
  public void listen(EndListener listener) {
    machine.onEnd(id -> agent.start(() -> listener.ended(id)), agent);
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

  /// Whether it listens or not, the machine goes on though its agent does not.
  @Override
  public void terminate(ContainerId id) {
    if (machine.time.chance(DEAF)) return;
    machine.time.after(machine.time.upTo(END), () -> machine.end(id, TERMINATED));
  }

  @Override
  public void kill(ContainerId id) {
    agent.pause(Duration.ofMillis(1));
    machine.end(id, KILLED);
    agent.pause(Duration.ofMillis(1));
  }

  @Override
  public void remove(ContainerId id) {
    agent.pause(Duration.ofMillis(1));
    machine.end(id, KILLED);
    machine.containers.remove(id);
  }

  @Override
  public String terminationMessage(ContainerId id) {
    return "";
  }

  @Override
  public void close() {
    machine.forget(agent);
  }
}
