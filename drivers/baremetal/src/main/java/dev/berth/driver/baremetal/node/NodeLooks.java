package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Layout;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.VolumeFinding;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.driver.baremetal.verdict.VolumeVerdict;
import dev.berth.driver.model.Ailment;
import dev.berth.driver.model.Ailment.Kind;
import dev.berth.driver.model.Condition;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Usage;
import dev.berth.driver.spi.NodeExpansion;
import dev.berth.driver.spi.NodeHealth;
import dev.berth.driver.spi.NodeStats;
import dev.berth.linux.check.MountedCheck;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// How the volumes of a node are and how full: looked at, never touched.
public final class NodeLooks implements NodeStats, NodeHealth, NodeExpansion {
  private final Registry registry;
  private final NodeVolumes volumes;
  private final FileSystemTools tools;
  private final Mounts mounts = Mounts.ofThisMachine();
  private final Places places = new Places(mounts);
  private final MountedCheck check = new MountedCheck();
  private final VolumeCare care;

  /// For answers about a file system that answers no more (BM-187): caches, nothing that counts.
  private final Map<String, Stats> lastKnown = new ConcurrentHashMap<>();

  public NodeLooks(Registry registry, NodeVolumes volumes, VolumeCare care, FileSystemTools tools) {
    this.registry = registry;
    this.care = care;
    this.volumes = volumes;
    this.tools = tools;
  }

  private LocalVolume volume(String id) {
    return registry.volume(LocalVolume.key(id)).orElseThrow(() -> Refusal.noSuchVolume(id));
  }

  @Override
  public Stats stats(String volumeId, Path path) throws IOException {
    var volume = volume(volumeId);
    if (volume.block())
      return new Stats(new Count(volume.size(), 0, 0), Optional.empty()); // BM-187
    if (mounts.at(path).isEmpty() && !Files.exists(path)) throw notThere(volumeId, path);
    try {
      // BM-188: who does not answer is not asked
      if (findings(volume).stream().anyMatch(it -> it.reason().equals("NotAnswering")))
        return lastKnown(volume);
      var usage = dev.berth.linux.file.Usage.of(path);
      var inodes = new Count(usage.inodes(), usage.inodesUsed(), usage.inodesFree());
      var stats =
          new Stats(
              new Count(usage.capacity(), usage.used(), usage.available()),
              usage.inodes() == 0 ? Optional.empty() : Optional.of(inodes));
      if (mounts.at(path).isPresent()) {
        lastKnown.put(volumeId, stats);
        return stats;
      }
    } catch (LinuxException e) {
      // An abnormal answer without numbers is thrown away by the kubelet.
    }
    return lastKnown(volume);
  }

  private Stats lastKnown(LocalVolume volume) {
    return lastKnown.getOrDefault(
        volume.id(), new Stats(new Count(volume.size(), 0, 0), Optional.empty()));
  }

  /// What is known here and now, else what was written when somebody knew.
  private List<VolumeFinding> findings(LocalVolume volume) {
    return care.findings(volume).orElse(volume.findings());
  }

  private static Refusal notThere(String volumeId, Path path) {
    return new Refusal(
        Refusal.Reason.NOT_FOUND, "volume %s is not at %s".formatted(volumeId, path));
  }

  /// BM-186, in its order: what the objects say, then what the kernel says.
  @Override
  public Condition condition(String volumeId, Optional<Path> path) throws IOException {
    var volume = volume(volumeId);
    var drive = volume.drive().flatMap(registry::drive);
    var found = new ArrayList<>(VolumeVerdict.ailments(volume, drive, findings(volume)));
    if (path.isPresent()) {
      if (mounts.at(path.get()).isEmpty() && !Files.exists(path.get()))
        throw notThere(volumeId, path.get());
      mounted(volume, drive, path.get()).forEach(found::add);
    }
    return VolumeVerdict.condition(found);
  }

  private List<Ailment> mounted(LocalVolume volume, Optional<Drive> drive, Path path)
      throws IOException {
    var device = device(volume);
    var mount = mounts.at(path);
    if (volume.block() || volume.fakeAttached()) return List.of();
    boolean ours =
        mount.isPresent()
            && device.map(it -> Places.shows(mount.get(), it)).orElse(drive.isPresent());
    // CSI: a volume that was never there is not ill; BM-186: one that was is.
    if (!ours
        && !path.toString().equals(volume.stagedAt())
        && !volume.publishedAt().contains(path.toString())) throw notThere(volume.id(), path);
    if (!ours)
      return List.of(
          new Ailment(
              Kind.INACCESSIBLE, "NotMounted", "the volume is not mounted where it was published"));
    return check.findings(mount.get(), VolumeCare.wanted(mount.get())).stream()
        .map(VolumeFinding::of)
        .map(VolumeVerdict::ailment)
        .toList();
  }

  /// Where its drive is; empty: nobody can say, as of a drive that is dead, which is no reason to
  /// say nothing of the volume (BM-186).
  private Optional<Path> device(LocalVolume volume) throws IOException {
    try {
      return volumes.found(volume);
    } catch (LinuxException e) {
      return Optional.empty();
    }
  }

  private void growMounted(LocalVolume volume, Path device, Path path) {
    var type = FileSystemType.named(volume.fsType()).orElseThrow();
    try {
      tools.growMounted(type, device, path);
    } catch (LinuxException e) {
      if (type == FileSystemType.EXT4
          && e.failure() instanceof Failure.ToolFailed(_, var output)
          && output.contains("Permission denied"))
        throw Refusal.wrongState(
            "volume %s cannot grow while it is mounted: ext4 needs CAP_SYS_RESOURCE for that, which this process lacks; it grows when it is staged next"
                .formatted(volume.id()));
      throw e;
    }
  }

  /// BM-121.
  @Override
  public long expand(
      String volumeId, Path path, SizeRange size, Optional<Usage> usage, Secrets secrets)
      throws IOException {
    var volume = volume(volumeId);
    if (size.required() > volume.size())
      throw Refusal.outOfRange(
          "volume %s has %d bytes of its drive, and no more".formatted(volumeId, volume.size()));
    volumes.grow(volume);
    var device = volumes.found(volume);
    var mount = device.flatMap(it -> places.at(path, it));
    if (device.isEmpty() || mount.isEmpty() && !volume.block()) throw notThere(volumeId, path);
    if (!volume.block()) growMounted(volume, device.get(), path);
    // a partition is a little smaller than the drive that counts as the volume's size (BM-100)
    return volume.layout() == Layout.PARTITION ? volume.size() : BlockDevice.size(device.get());
  }
}
