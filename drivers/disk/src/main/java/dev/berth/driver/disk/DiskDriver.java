package dev.berth.driver.disk;

import dev.berth.driver.disk.controller.DiskExpansion;
import dev.berth.driver.disk.controller.DiskHealth;
import dev.berth.driver.disk.controller.DiskMetadata;
import dev.berth.driver.disk.controller.DiskModification;
import dev.berth.driver.disk.controller.DiskPublishing;
import dev.berth.driver.disk.controller.DiskSnapshots;
import dev.berth.driver.disk.controller.DiskVolumes;
import dev.berth.driver.disk.node.DiskNode;
import dev.berth.driver.disk.node.DiskNodeVolumes;
import dev.berth.driver.disk.node.FrozenVolumes;
import dev.berth.driver.disk.node.Throttle;
import dev.berth.driver.disk.pool.PoolNode;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.model.UsageSupport.MountGroup;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.Located;
import dev.berth.driver.spi.PluginInfo;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Disks that are files: `disk.berth.dev`.
///
/// Any number of these may share a pool, in one process or in several; they are the nodes of one
/// storage. One process at a time controls a pool: the first that is asked to change something.
public final class DiskDriver implements Driver, Located, AutoCloseable {
  public static final String NAME = "disk.berth.dev";

  private final Pools pools;
  private final List<Object> parts;

  private DiskDriver(Pools pools, DiskNode node, DiskOptions options) {
    this.pools = pools;
    var inUse = DiskNode.inUse();
    this.parts =
        List.of(
            this,
            new DiskVolumes(pools, options.policy(), inUse),
            new DiskPublishing(pools, inUse),
            new DiskSnapshots(pools, options.policy(), new FrozenVolumes()),
            new DiskExpansion(pools, options.policy(), inUse),
            new DiskModification(pools, new Throttle()),
            new DiskHealth(pools),
            new DiskMetadata(pools),
            node,
            new DiskNodeVolumes(pools));
  }

  /// Opens the pools, making those that are new, and registers the node there.
  ///
  /// @throws IOException if a pool cannot be used, with the reason
  public static DiskDriver open(DiskOptions options) throws IOException {
    var pools = pools(options);
    try {
      var zone = options.zone().isEmpty() ? pools.all().getFirst().zone() : options.zone();
      var node = DiskNode.start(pools, new PoolNode(options.node(), zone, options.maxVolumes()));
      return new DiskDriver(pools, node, options);
    } catch (RuntimeException e) {
      pools.close();
      throw e;
    }
  }

  /// What the operating system says of a file it refuses is often no more than its name.
  private static Pools pools(DiskOptions options) throws IOException {
    try {
      return Pools.open(options.pools());
    } catch (FileSystemException e) {
      var why = e instanceof AccessDeniedException ? "permission denied" : e.getReason();
      throw new IOException(
          "cannot write %s: %s; --pool needs a folder that this process may write to, usually as root"
              .formatted(e.getFile(), why == null ? e.getClass().getSimpleName() : why),
          e);
    }
  }

  @Override
  public PluginInfo info() {
    return new PluginInfo(NAME, version());
  }

  private static String version() {
    var version = DiskDriver.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }

  @Override
  public UsageSupport usages() {
    var all = EnumSet.allOf(AccessMode.class);
    return new UsageSupport(all, all, Set.of("ext4", "xfs", "btrfs"), MountGroup.APPLIED);
  }

  @Override
  public Set<String> topologyKeys() {
    return Set.of(VolumeRecord.ZONE);
  }

  @Override
  public List<?> parts() {
    return parts;
  }

  /// Lets go of the pools. Volumes stay as they are, mounted ones too.
  @Override
  public void close() {
    pools.close();
  }
}
