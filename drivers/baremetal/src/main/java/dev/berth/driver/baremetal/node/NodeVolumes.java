package dev.berth.driver.baremetal.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Layout;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.driver.model.Access;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Usage;
import dev.berth.driver.spi.NodePublishing;
import dev.berth.driver.spi.NodeStaging;
import dev.berth.driver.spi.OnNode;
import dev.berth.kube.event.EventRecorder;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.mount.MountFlag;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/// CSI's node side: what is made by [Preparation] is mounted here, and unmounted.
///
/// The status that a call leads to is written before it is done (BM-88): from then on nobody may
/// delete the volume. Where it really is the kernel says.
public final class NodeVolumes implements OnNode, NodeStaging, NodePublishing {
  /// As upstream names nodes (BM-04).
  public static final String TOPOLOGY = "nodes.csi-baremetal.dell.com/uuid";

  private static final String POD = "csi.storage.k8s.io/pod.name";

  private final String nodeId;
  private final Registry registry;
  private final VolumeDevices devices;
  private final FileSystemTools tools;
  private final Mounts mounts = Mounts.ofThisMachine();
  private final Places places = new Places(mounts);
  private final StandIns standIns;
  private final VolumeCare care;

  public NodeVolumes(
      String nodeId,
      Registry registry,
      VolumeDevices devices,
      FileSystemTools tools,
      EventRecorder events,
      VolumeCare care) {
    this.nodeId = nodeId;
    this.care = care;
    this.standIns = new StandIns(registry, mounts, events);
    this.registry = registry;
    this.devices = devices;
    this.tools = tools;
  }

  @Override
  public NodeInfo nodeInfo() {
    return new NodeInfo(nodeId, 0, Optional.of(Topology.of(TOPOLOGY, nodeId)));
  }

  @Override
  public void stage(Stage stage) throws IOException {
    Places.checkFolder(stage.directory());
    var volume = usable(stage.volumeId(), stage.usage());
    if (standIns.isAt(stage.directory(), volume)) return;
    care.moves(volume.id());
    try {
      stage(volume, stage);
      standIns.end(volume); // BM-152
    } catch (Refusal | LinuxException failed) {
      if (!isOfDrive(failed) || !standIns.mayStandIn(volume, devices.findDrive(volume)))
        throw failed;
      standIn(volume, stage);
    } finally {
      care.moved(volume.id());
    }
  }

  /// BM-154: what the caller does wrong is not hidden from him.
  private static boolean isOfDrive(RuntimeException failed) {
    return !(failed instanceof Refusal refused) || refused.reason() == Refusal.Reason.ASK_AGAIN;
  }

  private void standIn(LocalVolume volume, Stage stage) {
    standIns.begin(volume);
    begin(
        volume,
        CsiStatus.VOLUME_READY,
        status -> {
          StandIns.status(status);
          staged(stage, status);
        });
    if (!volume.block()) standIns.mount(volume, stage.directory());
  }

  private static void staged(Stage stage, ObjectNode status) {
    status.put("StagedAt", stage.directory().toString()).put("StagedAs", stage.usage().toString());
  }

  private void stage(LocalVolume volume, Stage stage) throws IOException {
    var device = device(volume);
    // A raw device shows itself nowhere while it is only staged.
    boolean here =
        volume.block()
            ? volume.stagedAt().equals(stage.directory().toString())
            : places.at(stage.directory(), device).isPresent();
    if (here) {
      if (!volume.stagedAs().equals(stage.usage().toString()))
        throw Refusal.existsDifferently(
            "volume %s is staged as %s; unstage it first"
                .formatted(volume.id(), volume.stagedAs()));
      return;
    }
    for (var place : places.publishedAt(device, Optional.empty()))
      throw Refusal.wrongState(
          "volume %s is mounted at %s; unstage it there first"
              .formatted(volume.id(), place.target()));
    places.checkFree(stage.directory());
    if (!volume.block()) Places.awaitUnheld(device);
    begin(volume, CsiStatus.VOLUME_READY, status -> staged(stage, status));
    if (!volume.block()) mount(volume, device, stage);
  }

  private void mount(LocalVolume volume, Path device, Stage stage) throws IOException {
    var options = MountOptions.parse(stage.usage().mountFlags());
    var type = FileSystemType.named(volume.fsType()).orElseThrow();
    if (stage.usage().mode().readOnly()) options = options.with(MountFlag.RO);
    else {
      var _ = tools.recover(type, device);
      if (type == FileSystemType.EXT4 && volume.layout() == Layout.SHARE && Ext4.isBehind(device))
        tools.growUnmountedExt4(device);
    }
    mounts.mount(type.word(), device.toString(), stage.directory(), options);
  }

  @Override
  public void unstage(String volumeId, Path directory) throws IOException {
    var volume = registry.volume(LocalVolume.key(volumeId));
    if (volume.isEmpty()) return; // BM-117
    care.moves(volumeId);
    try {
      unstage(volume.get(), directory);
    } finally {
      care.moved(volumeId);
    }
  }

  private void unstage(LocalVolume volume, Path directory) throws IOException {
    standIns.unmount(volume, directory, directory);
    var device = found(volume);
    if (device.isEmpty() && directory.toString().equals(volume.stagedAt()))
      places.unmountOrphan(directory);
    if (device.isPresent()) {
      var published = places.publishedAt(device.get(), Optional.of(directory));
      if (places.at(directory, device.get()).isPresent() && !published.isEmpty())
        throw Refusal.wrongState(
            "volume %s is still published at %s; unpublish it there first"
                .formatted(volume.id(), published.getFirst().target()));
      places.unmountAll(device.get(), directory);
      if (!published.isEmpty()) return; // it is staged elsewhere
    }
    end(volume, CsiStatus.CREATED);
    devices.close(volume);
  }

  @Override
  public void publish(Publish publish) throws IOException {
    var volume = usable(publish.volumeId(), publish.usage());
    var staged = publish.stagedAt().orElseThrow();
    if (volume.fakeAttached()) {
      publishStandIn(volume, staged, publish);
      return;
    }
    var device = device(volume);
    if (!volume.block() && places.at(staged, device).isEmpty()
        || volume.status() == CsiStatus.CREATED)
      throw Refusal.wrongState(
          "volume %s is not staged at %s; stage it first".formatted(volume.id(), staged));
    if (publish.isDone(places.publishedAt(device, Optional.of(staged)))) return;
    places.checkFree(publish.target());
    begin(volume, CsiStatus.PUBLISHED, status -> published(volume, publish, status));
    boolean made = Places.make(publish.target(), volume.block());
    try {
      show(volume, device, staged, publish);
    } catch (RuntimeException e) {
      if (made) Places.remove(publish.target());
      throw e;
    }
  }

  private void publishStandIn(LocalVolume volume, Path staged, Publish publish) throws IOException {
    if (!volume.block() && !standIns.isAt(staged, volume) || volume.status() == CsiStatus.CREATED)
      throw Refusal.wrongState(
          "volume %s is not staged at %s; stage it first".formatted(volume.id(), staged));
    var source = volume.block() ? standIns.device(volume, staged) : staged;
    if (standIns.isAt(publish.target(), volume)
        || mounts.at(publish.target()).filter(it -> Places.shows(it, source)).isPresent()) return;
    places.checkFree(publish.target());
    begin(volume, CsiStatus.PUBLISHED, status -> published(volume, publish, status));
    boolean made = Places.make(publish.target(), volume.block());
    try {
      mounts.bind(source, publish.target(), Depth.ONE, MountOptions.NONE);
    } catch (RuntimeException e) {
      if (made) Places.remove(publish.target());
      throw e;
    }
  }

  /// A read-only bind keeps nobody from writing to a device: the device itself has to.
  private void show(LocalVolume volume, Path device, Path staged, Publish publish) {
    if (volume.block()) {
      if (publish.readOnly()) BlockDevice.makeReadOnly(device);
      else BlockDevice.makeWritable(device);
      mounts.bind(device, publish.target(), Depth.ONE, MountOptions.NONE);
    } else {
      var options = publish.readOnly() ? MountOptions.READ_ONLY : MountOptions.NONE;
      mounts.bind(staged, publish.target(), Depth.ONE, options);
    }
  }

  private static void published(LocalVolume volume, Publish publish, ObjectNode status) {
    var places = new TreeSet<>(volume.publishedAt());
    places.add(publish.target().toString());
    places.forEach(status.putArray("PublishedAt")::add);
    var owners = new TreeSet<>(volume.owners());
    Optional.ofNullable(publish.volumeContext().get(POD)).ifPresent(owners::add);
    owners.forEach(status.putArray("Owners")::add);
  }

  @Override
  public void unpublish(String volumeId, Path target) throws IOException {
    var volume = registry.volume(LocalVolume.key(volumeId));
    if (volume.isPresent()) {
      var device = found(volume.get());
      if (volume.get().fakeAttached() || device.isEmpty()) {
        unpublishOrphan(volume.get(), target);
      } else {
        places.unmountAll(device.get(), target);
        int left = places.publishedAt(device.get(), Optional.empty()).size();
        if (volume.get().block() && left == 0) BlockDevice.makeWritable(device.get());
        // that of the staging
        if (left <= (volume.get().block() ? 0 : 1)) end(volume.get(), CsiStatus.VOLUME_READY);
      }
    }
    if (mounts.at(target).isEmpty()) Places.remove(target);
  }

  /// A stand-in, or what a drive that is gone has left (BM-117).
  private void unpublishOrphan(LocalVolume volume, Path target) throws IOException {
    standIns.unmount(volume, target, Path.of(volume.stagedAt()));
    if (volume.publishedAt().contains(target.toString())) places.unmountOrphan(target);
    boolean left =
        volume.publishedAt().stream()
            .map(Path::of)
            .anyMatch(it -> !it.equals(target) && mounts.at(it).isPresent());
    if (!left) end(volume, CsiStatus.VOLUME_READY);
  }

  private LocalVolume usable(String id, Usage usage) {
    var volume = registry.volume(LocalVolume.key(id)).orElseThrow(() -> Refusal.noSuchVolume(id));
    // BM-114
    if (volume.status() == CsiStatus.FAILED)
      throw new Refusal(
          Refusal.Reason.FAILED, "volume %s has failed: %s".formatted(id, volume.message()));
    if (!volume.made() || volume.status() == CsiStatus.REMOVING)
      throw Refusal.wrongState("volume %s is %s".formatted(id, volume.status()));
    if (!volume.nodeId().equals(nodeId))
      throw Refusal.wrongState(
          "volume %s is on node %s, not on %s".formatted(id, volume.nodeId(), nodeId));
    if (volume.block() != usage.block())
      throw Refusal.wrongState(
          "volume %s was made as a %s volume".formatted(id, volume.block() ? "block" : "mount"));
    if (usage.access() instanceof Access.Mount(var type, _, _)
        && !type.isEmpty()
        && !type.equals(volume.fsType()))
      throw Refusal.wrongState("volume %s holds %s, not %s".formatted(id, volume.fsType(), type));
    return volume;
  }

  private void begin(LocalVolume volume, CsiStatus to, Consumer<ObjectNode> more) {
    var next = volume.status() == CsiStatus.PUBLISHED ? CsiStatus.PUBLISHED : to;
    try {
      registry.move(volume.meta().key(), next, more);
    } catch (IllegalStateException e) { // somebody deletes it
      throw Refusal.wrongState(String.valueOf(e.getMessage()));
    }
  }

  /// The kernel has it nowhere any more. That always goes on (BM-116).
  private void end(LocalVolume volume, CsiStatus to) {
    if (volume.status() == CsiStatus.PUBLISHED)
      registry.move(
          volume.meta().key(),
          CsiStatus.VOLUME_READY,
          status -> {
            status.putArray("Owners");
            status.putArray("PublishedAt");
          });
    if (to == CsiStatus.CREATED
        && (volume.status() == CsiStatus.PUBLISHED || volume.status() == CsiStatus.VOLUME_READY))
      registry.move(
          volume.meta().key(), to, status -> status.put("StagedAt", "").put("StagedAs", ""));
  }

  Optional<Path> found(LocalVolume volume) throws IOException {
    return devices.find(volume);
  }

  /// Makes the device of a volume as large as the volume is by now.
  void grow(LocalVolume volume) throws IOException {
    devices.grow(volume);
  }

  /// BM-55.
  private Path device(LocalVolume volume) throws IOException {
    return devices
        .open(volume)
        .orElseThrow(() ->
            new Refusal(
                Refusal.Reason.ASK_AGAIN,
                "the drive of volume %s is not there; plug it in again".formatted(volume.id())));
  }
}
