package dev.berth.node.volume.disk;

import dev.berth.kube.model.VolumeName;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.loop.LoopDevice;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.node.layout.Layout;
import dev.berth.node.tree.Trees;
import dev.berth.node.volume.FsGroup;
import dev.berth.node.volume.VolumeFiles;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Lost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// [VolumeFiles] of volumes that are devices, below a kubelet's root (NBLK-01 to NBLK-05): what the
/// driver publishes is bound on a file, which a loop device holds open, and linked to from the
/// pod's directory.
final class KubeletDevices implements VolumeFiles {
  /// Without it the device is not held open: whoever has no loop devices still has his volumes.
  private static final Path LOOPS = Path.of("/dev/loop-control");

  private final Layout layout;
  private final String node;
  private final Mounts mounts;
  private final Directories directories;
  private final LoopDevices loops = new LoopDevices();

  /// By PersistentVolume, what our notes say.
  private final Map<String, VolumeName> written = new ConcurrentHashMap<>();

  KubeletDevices(Layout layout, String node, Mounts mounts) {
    this.layout = layout;
    this.node = node;
    this.mounts = mounts;
    this.directories = new Directories(mounts);
  }

  @Override
  public List<Trace> traces() throws IOException {
    var traces = new ArrayList<Trace>();
    for (var device : Directories.entries(layout.devices())) {
      var file = device.resolve("data").resolve(Layout.VOL_DATA);
      if (!Files.exists(file)) continue;
      var spec = Layout.unescape(device.getFileName().toString());
      var uids = pods(spec);
      try {
        var name = VolData.read(file).name();
        traces.add(new Trace.Staged(name, Optional.empty(), Form.DEVICE));
        for (var uid : uids) traces.add(new Trace.Published(name, uid, spec, Form.DEVICE));
      } catch (IOException unreadable) {
        var why = String.valueOf(unreadable.getMessage());
        traces.add(
            uids.isEmpty() && Directories.entries(layout.stagedDevice(spec)).isEmpty()
                ? new Trace.Unreadable(file, why)
                : new Trace.Lost(new Lost.Device(spec, Set.copyOf(uids)), file, why));
      }
    }
    return traces;
  }

  /// Pods that have the device, or may have.
  private List<String> pods(String spec) throws IOException {
    var uids = new ArrayList<String>();
    for (var folder : List.of(layout.deviceMaps(spec), layout.publishedDevices(spec)))
      for (var file : Directories.entries(folder)) uids.add(file.getFileName().toString());
    for (var pod : Directories.entries(layout.pods())) {
      var uid = pod.getFileName().toString();
      if (Files.exists(layout.podDevice(uid, spec), LinkOption.NOFOLLOW_LINKS)) uids.add(uid);
    }
    return uids.stream().distinct().toList();
  }

  /// Its directories are named after the PersistentVolume: the notes say which that is. One that
  /// has been damaged since we wrote it still counts; one that we know nothing of is passed over,
  /// for other volumes have to do without it.
  private Optional<String> spec(VolumeName name) throws IOException {
    for (var device : Directories.entries(layout.devices())) {
      var file = device.resolve("data").resolve(Layout.VOL_DATA);
      var spec = Layout.unescape(device.getFileName().toString());
      if (Files.exists(file) && whose(file).or(() -> known(spec)).equals(Optional.of(name)))
        return Optional.of(spec);
    }
    return Optional.empty();
  }

  @Override
  public Optional<Noted> noted(Lost mount) {
    return whose(layout.deviceData(mount.text()).resolve(Layout.VOL_DATA))
        .map(name -> new Noted(name, Form.DEVICE));
  }

  private Optional<VolumeName> whose(Path note) {
    try {
      return Optional.of(VolData.read(note).name());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  private Optional<VolumeName> known(String spec) {
    return Optional.ofNullable(written.get(spec));
  }

  private void note(VolumeName name, String spec) throws IOException {
    directories.make(layout.deviceData(spec));
    VolData.write(layout.deviceData(spec), VolData.device(name, spec, node));
    written.put(spec, name);
  }

  private String specOf(VolumeName name) {
    try {
      return spec(name)
          .orElseThrow(
              () -> new IllegalStateException("no note says where " + name + " is staged"));
    } catch (IOException unreadable) {
      throw new java.io.UncheckedIOException("look for the note of " + name, unreadable);
    }
  }

  @Override
  public Path stagingTarget(VolumeName name) {
    return layout.stagedDevice(specOf(name));
  }

  @Override
  public Path publishTarget(String podUid, String spec) {
    return layout.publishedDevice(podUid, spec);
  }

  /// NSTA-01.
  @Override
  public Path shownPath(String podUid, String spec) {
    return layout.deviceMap(podUid, spec);
  }

  /// @throws IOException if the volume is here by another PersistentVolume: a driver stages a
  ///   volume at one path only (NBLK-07)
  @Override
  public void announceStaging(VolumeName name, String spec, String group) throws IOException {
    var before = spec(name).filter(other -> !other.equals(spec));
    if (before.isPresent())
      throw new IOException(
          "%s is already here as the device of volume %s; delete the pods of one of the two"
              .formatted(name, before.get()));
    note(name, spec);
    directories.make(layout.stagedDevice(spec));
  }

  @Override
  public void removeStaging(VolumeName name) throws IOException {
    var spec = spec(name);
    if (spec.isEmpty()) return;
    directories.remove(layout.publishedDevices(spec.get()));
    var staged = layout.stagedDevice(spec.get());
    if (!mounts.table().under(staged).isEmpty()) throw new StillMountedException(staged);
    Trees.delete(staged);
    directories.remove(layout.deviceMaps(spec.get()));
    VolData.remove(layout.deviceData(spec.get()));
    directories.remove(layout.deviceData(spec.get()));
    directories.remove(layout.device(spec.get()));
    written.remove(spec.get());
  }

  @Override
  public void announcePublication(VolumeName name, String podUid, String spec, Form form)
      throws IOException {
    note(name, spec);
    directories.make(layout.publishedDevices(spec));
    directories.make(layout.podDevices(podUid));
    var map = layout.deviceMap(podUid, spec);
    directories.make(layout.deviceMaps(spec));
    if (!Files.exists(map, LinkOption.NOFOLLOW_LINKS)) { // from now on a note that names the pod
      Files.createFile(map);
      Files.setAttribute(map, "unix:mode", 0750, LinkOption.NOFOLLOW_LINKS);
    }
  }

  /// NBLK-01, from the bind mount on; what is there already stays.
  @Override
  public void map(String podUid, String spec) throws IOException {
    var device = publishTarget(podUid, spec).toRealPath();
    if (!FileStatus.of(device).isBlockDevice())
      throw new IOException(
          "driver has published no block device at %s".formatted(publishTarget(podUid, spec)));
    var map = layout.deviceMap(podUid, spec);
    if (mounts.state(map) == Mounts.State.NOT_MOUNTED)
      mounts.bind(device, map, Mounts.Depth.ONE, MountOptions.NONE);
    var link = layout.podDevice(podUid, spec);
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, publishTarget(podUid, spec));
    if (Files.exists(LOOPS) && held(map).isEmpty())
      loops.attach(map, LoopOptions.of(LoopOptions.Flag.READ_ONLY)).close();
  }

  /// NBLK-03 and NBLK-05, up to the driver's call: what is missing is done already.
  @Override
  public void removeParts(String podUid, String spec) throws IOException {
    var map = layout.deviceMap(podUid, spec);
    release(map);
    Files.deleteIfExists(layout.podDevice(podUid, spec));
    if (mounts.state(map) == Mounts.State.MOUNTED || mounts.state(map) == Mounts.State.CORRUPTED)
      mounts.unmount(map, Mounts.Unmount.IF_UNUSED);
  }

  private void release(Path map) {
    for (var loop : held(map)) loops.detach(loop.device());
  }

  /// The loop devices that hold the device open for a pod, by the very path: another pod's is of
  /// the same device. Also if the path has gone.
  private List<LoopDevice> held(Path map) {
    return loops.attached().stream()
        .filter(loop -> loop.backingFile().replace(" (deleted)", "").equals(map.toString()))
        .toList();
  }

  @Override
  public void removePublication(String podUid, String spec) throws IOException {
    var map = layout.deviceMap(podUid, spec);
    if (mounts.state(map) == Mounts.State.MOUNTED) throw new StillMountedException(map);
    var target = publishTarget(podUid, spec);
    if (mounts.state(target) == Mounts.State.MOUNTED) throw new StillMountedException(target);
    Files.deleteIfExists(target);
    Files.deleteIfExists(map);
    removeIfEmpty(layout.podDevices(podUid));
    removeIfEmpty(layout.pod(podUid).resolve("volumeDevices"));
  }

  private void removeIfEmpty(Path directory) throws IOException {
    if (Directories.entries(directory).isEmpty()) directories.remove(directory);
  }

  @Override
  public List<Path> otherMountsOf(VolumeName name) {
    try {
      var spec = spec(name);
      return spec.isEmpty() ? List.of() : Directories.entries(layout.deviceMaps(spec.get()));
    } catch (IOException unreadable) {
      throw new java.io.UncheckedIOException("look for the maps of " + name, unreadable);
    }
  }

  @Override
  public void own(Path target, FsGroup group) {
    throw new IllegalStateException("a device has no files to own: " + target);
  }
}
