package dev.berth.driver.disk;

import dev.berth.driver.DriverServer.Service;
import dev.berth.driver.disk.controller.DiskExpansion;
import dev.berth.driver.disk.controller.DiskHealth;
import dev.berth.driver.disk.controller.DiskMetadata;
import dev.berth.driver.disk.controller.DiskModification;
import dev.berth.driver.disk.controller.DiskPublishing;
import dev.berth.driver.disk.controller.DiskSnapshots;
import dev.berth.driver.disk.controller.DiskVolumes;
import dev.berth.driver.disk.lock.PoolLocks.Hold;
import dev.berth.driver.disk.node.DiskNode;
import dev.berth.driver.disk.node.DiskNodeVolumes;
import dev.berth.driver.disk.node.FrozenVolumes;
import dev.berth.driver.disk.node.Throttle;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.PoolNode;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.model.UsageSupport.MountGroup;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.Located;
import dev.berth.driver.spi.PluginInfo;
import dev.berth.driver.spi.Readiness;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
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
  private final List<Hold> claims;
  private final DiskNode node;
  private final List<Object> parts;

  private DiskDriver(Pools pools, List<Hold> claims, DiskNode node, DiskOptions options) {
    this.pools = pools;
    this.claims = claims;
    this.node = node;
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
            new DiskNodeVolumes(pools, options.node()));
  }

  /// Opens the pools, making those that are new. If the node is served it is registered there, and
  /// what did not survive a restart of its machine is forgotten.
  ///
  /// @throws IOException if a pool cannot be used or another process serves the node, with the
  ///   reason
  public static DiskDriver open(DiskOptions options) throws IOException {
    var pools = pools(options);
    var claims = new ArrayList<Hold>();
    try {
      var zone = options.zone().isEmpty() ? pools.all().getFirst().zone() : options.zone();
      var node =
          new DiskNode(
              pools, new PoolNode(options.node(), zone, options.maxVolumes(), Throttle.whyNot()));
      pools.all().forEach(FrozenVolumes::thawForgotten);
      if (options.services().contains(Service.NODE)) {
        for (var pool : pools.all()) claims.add(claim(pool, options.node()));
        node.start();
      }
      return new DiskDriver(pools, claims, node, options);
    } catch (IOException | RuntimeException e) {
      claims.forEach(Hold::close);
      pools.close();
      throw e;
    }
  }

  /// Two processes would each forget what the other has begun.
  private static Hold claim(Pool pool, String node) throws IOException {
    return pool.nodes()
        .claim(node)
        .orElseThrow(() ->
            new IOException(
                "node %s is served by another process in pool %s; end it, or choose another --node"
                    .formatted(node, pool.folder())));
  }

  /// What the operating system says of a file it refuses is often no more than its name.
  private static Pools pools(DiskOptions options) throws IOException {
    try {
      return Pools.open(options.pools());
    } catch (FileSystemException e) {
      var why = e instanceof AccessDeniedException ? "permission denied" : e.getReason();
      if (e instanceof NoSuchFileException) why = "it is gone";
      throw new IOException(
          "cannot write %s: %s; --pool needs a folder that this process may write to, usually as root"
              .formatted(e.getFile(), why == null ? "the system does not say why" : why),
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

  /// Looks only at whether the pools are there: a full one is there to publish from and delete in.
  @Override
  public Readiness readiness() {
    for (var pool : pools.all())
      if (!pool.isThere())
        return new Readiness.Broken(
            "pool %s is gone; mount or restore it, then start the driver anew"
                .formatted(pool.folder()));
    for (var pool : pools.all())
      if (pool.damage().isPresent()) return new Readiness.Broken(pool.damage().get());
    return new Readiness.Ready();
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
    node.close();
    claims.forEach(Hold::close);
    pools.close();
  }
}
