package dev.berth.simulation.machine;

import dev.berth.kube.object.Meta;
import dev.berth.node.pod.start.ContentFile;
import dev.berth.node.pod.start.MountedVolume;
import dev.berth.node.pod.start.PodFiles;
import dev.berth.node.runtime.ContainerId;
import dev.berth.simulation.time.SimulatedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/// The directories of pods, whose only volumes are those of the driver.
record PodDirectories(Machine machine, SimulatedProcess agent) implements PodFiles {
  private static final Duration WRITE = Duration.ofMillis(2);

  @Override
  public Set<String> pods() {
    return new TreeSet<>(machine.podDirectories);
  }

  @Override
  public void make(String podUid) {
    agent.pause(WRITE);
    machine.podDirectories.add(podUid);
  }

  @Override
  public Path emptyDir(
      String podUid, String name, boolean inMemory, OptionalLong sizeLimit, OptionalInt group) {
    return Path.of("/pods", podUid, "empty-dir", name);
  }

  @Override
  public Path content(
      String podUid,
      String plugin,
      String name,
      boolean secret,
      List<ContentFile> files,
      OptionalInt group) {
    return Path.of("/pods", podUid, plugin, name);
  }

  @Override
  public Path hostPath(String path, String type) {
    return Path.of(path);
  }

  @Override
  public String machineHosts() {
    return "127.0.0.1 localhost";
  }

  @Override
  public Path hosts(String podUid, String text) {
    return Path.of("/memory", podUid, "etc-hosts");
  }

  @Override
  public boolean holdsVolumes(Path hostPath) {
    return false;
  }

  @Override
  public Path part(
      String podUid, String container, int index, MountedVolume volume, String subPath) {
    return volume.path().resolve(subPath);
  }

  @Override
  public Path log(Meta pod, ContainerId run) {
    return Path.of("/logs", run.toString());
  }

  @Override
  public void removeLog(Meta pod, ContainerId run) {}

  @Override
  public void unmount(String podUid) {}

  @Override
  public void remove(String podUid) throws IOException {
    agent.pause(WRITE);
    for (var note : machine.published.keySet())
      if (note.startsWith(podUid + "/")) throw new IOException("a volume is still at " + note);
    machine.podDirectories.remove(podUid);
  }
}
