package dev.berth.simulation.machine;

import dev.berth.kube.model.VolumeName;
import dev.berth.node.pod.start.PodFiles;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.ContainerState;
import dev.berth.node.volume.VolumeFiles;
import dev.berth.node.volume.VolumeFiles.Trace;
import dev.berth.simulation.driver.Backend;
import dev.berth.simulation.time.SimulatedProcess;
import dev.berth.simulation.time.VirtualTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/// One machine: its disk, its mounts and its containers, which outlive every agent.
public final class Machine {
  final VirtualTime time;
  final String node;
  final Backend backend;
  final Map<VolumeName, Trace> staged = new TreeMap<>();
  final Map<String, Trace> published = new TreeMap<>();
  final Set<String> podDirectories = new TreeSet<>();
  final Map<ContainerId, Running> containers = new LinkedHashMap<>();

  private final Map<SimulatedProcess, Consumer<ContainerId>> listeners = new LinkedHashMap<>();

  /// @param targets paths of volumes that it has open
  record Running(ContainerState state, List<String> targets) {}

  public Machine(VirtualTime time, String node, Backend backend) {
    this.time = time;
    this.node = node;
    this.backend = backend;
  }

  /// The notes beside volumes, as one agent reads and writes them.
  public VolumeFiles volumeFiles(SimulatedProcess agent) {
    return new VolumeNotes(this, agent);
  }

  /// The directories of pods, as one agent sees them.
  public PodFiles podFiles(SimulatedProcess agent) {
    return new PodDirectories(this, agent);
  }

  /// The containers, as one agent sees them.
  public ContainerRuntime runtime(SimulatedProcess agent) {
    return new Containers(this, agent);
  }

  /// Containers and mounts are gone; files are not.
  public void powerOff() {
    containers.clear();
    backend.powerOff(node);
  }

  /// Tells the agent of ends as long as it lives.
  void onEnd(Consumer<ContainerId> listener, SimulatedProcess agent) {
    listeners.put(agent, listener);
    agent.atDeath(() -> forget(agent));
  }

  void forget(SimulatedProcess agent) {
    listeners.remove(agent);
  }

  /// The container's program ends.
  void end(ContainerId id, int exitCode) {
    var running = containers.get(id);
    if (running == null || !(running.state() instanceof ContainerState.Running(var started)))
      return;
    running.targets().forEach(target -> backend.close(node, target));
    containers.put(
        id, new Running(new ContainerState.Exited(started, time.now(), exitCode), List.of()));
    List.copyOf(listeners.values()).forEach(listener -> listener.accept(id));
  }

  boolean isMountPoint(String path) {
    return backend.disks().stream().anyMatch(disk -> disk.isMountedAt(node, path));
  }
}
