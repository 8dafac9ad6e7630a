package dev.berth.node.testing;

import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.Meta;
import dev.berth.node.layout.Layout;
import dev.berth.node.pod.start.ContentFile;
import dev.berth.node.pod.start.MountedVolume;
import dev.berth.node.pod.start.PodFiles;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.volume.FsGroup;
import dev.berth.node.volume.VolumeFiles;
import dev.berth.node.volume.state.Form;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/// Directories and notes in memory.
public final class MemoryFiles implements VolumeFiles, PodFiles {
  private final Layout layout = new Layout(Path.of("/var/lib/kubelet"));
  private final MemoryDriver driver;
  private final Set<Trace> traces = ConcurrentHashMap.newKeySet();
  private final List<String> owned = new CopyOnWriteArrayList<>();
  private final Set<String> pods = ConcurrentHashMap.newKeySet();

  public MemoryFiles(MemoryDriver driver) {
    this.driver = driver;
  }

  @Override
  public List<Trace> traces() {
    return new ArrayList<>(traces);
  }

  @Override
  public Path stagingTarget(VolumeName name) {
    return layout.stagingTarget(name.driver(), name.handle());
  }

  @Override
  public Path publishTarget(String podUid, String spec) {
    return layout.publishTarget(podUid, spec);
  }

  @Override
  public void announceStaging(VolumeName name, String spec, String group) {
    traces.removeIf(isStaged(name));
    traces.add(new Trace.Staged(name, Optional.of(group)));
  }

  @Override
  public void removeStaging(VolumeName name) throws IOException {
    unmounted(stagingTarget(name));
    traces.removeIf(isStaged(name));
  }

  private static Predicate<Trace> isStaged(VolumeName name) {
    return trace -> trace instanceof Trace.Staged(var other, _, _) && other.equals(name);
  }

  @Override
  public void announcePublication(VolumeName name, String podUid, String spec, Form form) {
    pods.add(podUid);
    traces.add(new Trace.Published(name, podUid, spec, form));
  }

  @Override
  public void removeParts(String podUid, String spec) {}

  @Override
  public void removePublication(String podUid, String spec) throws IOException {
    unmounted(publishTarget(podUid, spec));
    traces.removeIf(trace ->
        trace instanceof Trace.Published(_, var uid, var other, _)
            && uid.equals(podUid)
            && other.equals(spec));
  }

  private void unmounted(Path target) throws IOException {
    if (driver.mounts().contains(target.toString())) throw new StillMountedException(target);
  }

  @Override
  public List<Path> otherMountsOf(VolumeName name) {
    return List.of();
  }

  @Override
  public void own(Path target, FsGroup group) {
    owned.add(group.gid() + " " + target);
  }

  /// Which groups were given which targets, as `1000 /var/lib/…`.
  public List<String> owned() {
    return List.copyOf(owned);
  }

  @Override
  public Set<String> pods() {
    return Set.copyOf(pods);
  }

  @Override
  public void make(String podUid) {
    pods.add(podUid);
  }

  @Override
  public Path emptyDir(
      String podUid, String name, boolean inMemory, OptionalLong sizeLimit, OptionalInt group) {
    return layout.volume(podUid, "kubernetes.io/empty-dir", name);
  }

  @Override
  public Path content(
      String podUid,
      String plugin,
      String name,
      boolean secret,
      List<ContentFile> files,
      OptionalInt group) {
    return layout.volume(podUid, plugin, name);
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
    return layout.subPath(podUid, volume.spec(), container, index);
  }

  @Override
  public Path log(Meta pod, ContainerId run) {
    return Path.of("/var/log/pods/" + run + ".log");
  }

  @Override
  public void removeLog(Meta pod, ContainerId run) {}

  @Override
  public void unmount(String podUid) {}

  @Override
  public void remove(String podUid) throws IOException {
    for (var trace : traces)
      if (trace instanceof Trace.Published(_, var uid, var spec, _) && uid.equals(podUid))
        throw new StillMountedException(publishTarget(uid, spec));
    pods.remove(podUid);
  }
}
