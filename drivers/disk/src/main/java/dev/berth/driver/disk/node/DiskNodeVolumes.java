package dev.berth.driver.disk.node;

import dev.berth.driver.disk.pool.NodeVolume.Staged;
import dev.berth.driver.disk.pool.NodeVolume.Target;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Pools.Found;
import dev.berth.driver.model.Ailment;
import dev.berth.driver.model.BackendAilment;
import dev.berth.driver.model.Condition;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Usage;
import dev.berth.driver.spi.NodeExpansion;
import dev.berth.driver.spi.NodeHealth;
import dev.berth.driver.spi.NodeStats;
import dev.berth.driver.spi.StorageHealth;
import dev.berth.linux.check.Finding.Weight;
import dev.berth.linux.check.MountedCheck;
import dev.berth.linux.check.MountedCheck.Wanted;
import dev.berth.linux.file.BlockDevice;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.Mounts.State;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.Tools;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Volumes that are staged or published here: how full, how well, and grown.
public final class DiskNodeVolumes implements NodeStats, NodeHealth, StorageHealth, NodeExpansion {
  private final Pools pools;
  private final String nodeId;
  private final Kernel kernel = Kernel.ofThisMachine();
  private final MountedCheck check = new MountedCheck();
  private final Growth growth = new Growth(kernel, new FileSystemTools(Tools.ofThisMachine()));

  public DiskNodeVolumes(Pools pools, String nodeId) {
    this.pools = pools;
    this.nodeId = nodeId;
  }

  /// A volume where it is.
  ///
  /// @param capacity bytes of the backing file
  /// @param mount empty: a raw device that is only staged shows itself nowhere
  private record Here(
      Pool pool,
      Path image,
      long capacity,
      boolean block,
      Optional<MountEntry> mount,
      Path device) {}

  private Here here(String volumeId, Path path) {
    var found = pools.find(volumeId);
    if (found.isEmpty())
      return ephemeral(volumeId, path).orElseThrow(() -> Refusal.noSuchVolume(volumeId));
    var pool = found.get().pool();
    var record = found.get().record();
    return here(pool, pool.volumes().image(volumeId), path)
        .map(it ->
            new Here(
                pool,
                it.image,
                record.capacityBytes(),
                record.recipe().block(),
                it.mount,
                it.device))
        .or(() -> stagedDevice(found.get(), path))
        .orElseThrow(() ->
            new Refusal(
                Refusal.Reason.NOT_FOUND, "volume %s is not at %s".formatted(volumeId, path)));
  }

  /// A raw device at its staging path, which holds nothing (NOD-21, NOD-22).
  private Optional<Here> stagedDevice(Found found, Path path) {
    var image = found.disk().image();
    var record = found.record();
    if (!record.recipe().block()) return Optional.empty();
    return found.pool().nodes().volume(nodeId, record.id()).staged().stream()
        .filter(staged -> staged.directory().equals(path))
        .flatMap(_ -> kernel.loopOf(image).stream())
        .findFirst()
        .map(loop ->
            new Here(
                found.pool(),
                image,
                record.capacityBytes(),
                true,
                Optional.empty(),
                loop.device()));
  }

  private Optional<Here> ephemeral(String volumeId, Path path) {
    return pools.all().stream()
        .flatMap(pool ->
            pool.nodes().ephemeral(volumeId).flatMap(image -> here(pool, image, path)).stream())
        .findFirst();
  }

  private Optional<Here> here(Pool pool, Path image, Path path) {
    return kernel
        .mountOf(image, path)
        .flatMap(mount ->
            kernel
                .deviceOf(mount)
                .map(device ->
                    new Here(
                        pool, image, image.toFile().length(), false, Optional.of(mount), device)));
  }

  @Override
  public Stats stats(String volumeId, Path path) {
    return count(here(volumeId, path), path);
  }

  private static Stats count(Here here, Path path) {
    if (here.block)
      return new Stats(new Count(BlockDevice.size(here.device), 0, 0), Optional.empty());
    var usage = dev.berth.linux.file.Usage.of(path);
    var inodes = new Count(usage.inodes(), usage.inodesUsed(), usage.inodesFree());
    return new Stats(
        new Count(usage.capacity(), usage.used(), usage.available()),
        usage.inodes() == 0 ? Optional.empty() : Optional.of(inodes));
  }

  /// Looks at the mount within a deadline, so that a dead one is told and not waited for (CND-03).
  @Override
  public Condition condition(String volumeId, Optional<Path> given) {
    var path = given.or(() -> whereabouts(volumeId));
    if (path.isEmpty())
      throw new Refusal(
          Refusal.Reason.NOT_FOUND, "volume %s is not on node %s".formatted(volumeId, nodeId));
    return condition(here(volumeId, path.get()), path.get());
  }

  /// Where the volume is published here, or else staged.
  private Optional<Path> whereabouts(String volumeId) {
    return pools.find(volumeId).map(Found::pool).stream()
        .map(pool -> pool.nodes().volume(nodeId, volumeId))
        .flatMap(known ->
            Stream.concat(
                known.targets().stream().map(Target::path),
                known.staged().stream().map(Staged::directory)))
        .findFirst();
  }

  private Condition condition(Here here, Path path) {
    try {
      if (kernel.mounts().state(path) == State.CORRUPTED)
        return Condition.abnormal(
            Ailment.Kind.INACCESSIBLE,
            "MountDead",
            "the mount at %s does not answer".formatted(path));
      count(here, path);
    } catch (LinuxException e) {
      return Condition.abnormal(
          Ailment.Kind.INACCESSIBLE,
          "MountFailing",
          "the mount at %s: %s".formatted(path, e.getMessage()));
    }
    var found = here.block ? List.<Ailment>of() : here.mount.map(this::found).orElse(List.of());
    if (!found.isEmpty()) return Condition.of(found);
    return Condition.healthy(here.block ? "the device answers" : "the file system is mounted");
  }

  /// Whether the pools are there and have room.
  @Override
  public List<BackendAilment> storageHealth() {
    return pools.all().stream().flatMap(pool -> ailment(pool.folder()).stream()).toList();
  }

  private static Optional<BackendAilment> ailment(Path pool) {
    try {
      return dev.berth.linux.file.Usage.of(pool).available() > 0
          ? Optional.empty()
          : Optional.of(
              BackendAilment.degraded(
                  "PoolFull", "pool %s is full; writing to its volumes will fail".formatted(pool)));
    } catch (LinuxException e) {
      return Optional.of(
          BackendAilment.unreachable(
              "PoolUnreachable", "pool %s: %s".formatted(pool, e.getMessage())));
    }
  }

  /// What the kernel says of a mounted file system by itself. Who asked for `ro` has it in the
  /// options of his mount; an error has it in those of the file system alone.
  private List<Ailment> found(MountEntry mount) {
    var wanted = mount.options().contains("ro") ? Wanted.READ_ONLY : Wanted.WRITABLE;
    return check.findings(mount, wanted).stream()
        .map(it ->
            new Ailment(
                it.weight() == Weight.DEAD ? Ailment.Kind.INACCESSIBLE : Ailment.Kind.DEGRADED,
                it.reason(),
                it.message()))
        .toList();
  }

  @Override
  public long expand(
      String volumeId, Path path, SizeRange size, Optional<Usage> usage, Secrets secrets) {
    var here = here(volumeId, path);
    var capacity = here.capacity;
    if (size.required() > capacity)
      throw Refusal.outOfRange(
          "volume %s has %d bytes; expand it on the controller first"
              .formatted(volumeId, capacity));
    try (var _ = here.pool.holds().volume(volumeId)) {
      var now = here(volumeId, path); // it may have been taken down before we held it
      growth.growDevice(now.image, now.device);
      if (!now.block)
        now.mount.ifPresent(it -> growth.growMounted(volumeId, now.image, it, now.device));
    }
    return capacity;
  }
}
