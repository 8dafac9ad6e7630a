package dev.berth.simulation.machine;

import dev.berth.kube.model.VolumeName;
import dev.berth.node.volume.FsGroup;
import dev.berth.node.volume.VolumeFiles;
import dev.berth.node.volume.state.Form;
import dev.berth.simulation.time.SimulatedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The notes beside volumes. Writing one takes time, before and after it is on disk.
record VolumeNotes(Machine machine, SimulatedProcess agent) implements VolumeFiles {
  private static final Duration WRITE = Duration.ofMillis(2);

  @Override
  public List<Trace> traces() {
    var traces = new ArrayList<Trace>(machine.staged.values());
    traces.addAll(machine.published.values());
    return traces;
  }

  @Override
  public Path stagingTarget(VolumeName name) {
    return Path.of("/staging", name.handle());
  }

  @Override
  public Path publishTarget(String podUid, String spec) {
    return Path.of("/pods", podUid, spec);
  }

  @Override
  public void announceStaging(VolumeName name, String spec, String group) {
    write(() -> machine.staged.put(name, new Trace.Staged(name, Optional.of(group))));
  }

  @Override
  public void removeStaging(VolumeName name) throws StillMountedException {
    refuseIfMounted(stagingTarget(name));
    write(() -> machine.staged.remove(name));
  }

  @Override
  public void announcePublication(VolumeName name, String podUid, String spec, Form form) {
    var note = new Trace.Published(name, podUid, spec, form);
    write(() -> machine.published.put(podUid + "/" + spec, note));
  }

  @Override
  public void removeParts(String podUid, String spec) {}

  @Override
  public void removePublication(String podUid, String spec) throws StillMountedException {
    refuseIfMounted(publishTarget(podUid, spec));
    write(() -> machine.published.remove(podUid + "/" + spec));
  }

  @Override
  public List<Path> otherMountsOf(VolumeName name) {
    return machine.backend.find(name.handle()).stream()
        .flatMap(disk -> disk.targets(machine.node).stream())
        .map(Path::of)
        .toList();
  }

  @Override
  public void own(Path target, FsGroup group) {}

  private void write(Runnable change) {
    agent.pause(WRITE);
    change.run();
    agent.pause(WRITE);
  }

  private void refuseIfMounted(Path path) throws StillMountedException {
    if (machine.isMountPoint(path.toString())) throw new StillMountedException(path);
  }
}
