package dev.berth.driver.disk.node;

import dev.berth.driver.disk.lock.PoolLocks.Hold;
import dev.berth.driver.disk.pool.FullDisk;
import dev.berth.driver.disk.pool.InUse;
import dev.berth.driver.disk.pool.NodeVolume;
import dev.berth.driver.disk.pool.NodeVolume.Staged;
import dev.berth.driver.disk.pool.NodeVolume.Target;
import dev.berth.driver.disk.pool.Nodes;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.PoolNode;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Pools.Found;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.driver.model.Access;
import dev.berth.driver.model.Publication;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Usage;
import dev.berth.driver.spi.NodePublishing;
import dev.berth.driver.spi.NodeStaging;
import dev.berth.driver.spi.OnNode;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.Tools;
import java.nio.file.Path;
import java.util.Optional;

/// One node's side of the volumes.
public final class DiskNode implements OnNode, NodeStaging, NodePublishing, AutoCloseable {
  private final Pools pools;
  private final PoolNode node;
  private final Kernel kernel;
  private final Stager stager;
  private final Bindings bindings;
  private final LimitsInUse limits;
  private final Optional<LaterGroups> laterGroups;
  private final Ephemerals ephemerals;
  private final OtherNodes otherNodes;

  public DiskNode(Pools pools, PoolNode node) {
    this.pools = pools;
    this.node = node;
    this.kernel = Kernel.ofThisMachine();
    this.stager = new Stager(kernel, new FileSystemTools(Tools.ofThisMachine()));
    this.bindings = new Bindings(kernel, stager);
    this.limits = new LimitsInUse(pools, node.id(), kernel, new Throttle());
    this.laterGroups =
        ControlGroups.find(kernel.mounts().table())
            .map(groups -> new LaterGroups(groups, group -> limits.set(groups, group)));
    this.otherNodes = new OtherNodes(node.id());
    this.ephemerals = new Ephemerals(pools, node.id(), kernel, stager);
  }

  /// Makes the node known in its pools and forgets what did not survive a restart of the machine.
  /// Only for who has claimed the node ([Nodes#claim]).
  public void start() {
    for (var pool : pools.all()) {
      pool.nodes().register(node);
      for (var volume : pool.nodes().volumes(node.id()))
        pool.holds()
            .tryVolume(volume.volumeId())
            .ifPresent(hold -> {
              try (hold) {
                forgetIfGone(pool, volume.volumeId());
              }
            });
      ephemerals.sweep(pool);
    }
    if (pools.all().stream().anyMatch(pool -> !pool.nodes().volumes(node.id()).isEmpty()))
      laterGroups.ifPresent(LaterGroups::beginAnew);
  }

  /// Who holds the backing file of a volume on this machine.
  public static InUse inUse() {
    var kernel = Kernel.ofThisMachine();
    return (pool, volumeId) ->
        kernel.loopOf(pool.volumes().image(volumeId)).map(loop -> loop.device().toString());
  }

  private void forgetIfGone(Pool pool, String volumeId) {
    if (ephemerals.has(pool, volumeId)) return; // its pod may come back
    var image = pool.volumes().image(volumeId);
    if (kernel.loopOf(image).isEmpty()) pool.nodes().put(node.id(), NodeVolume.none(volumeId));
  }

  @Override
  public NodeInfo nodeInfo() {
    return new NodeInfo(
        node.id(), node.maxVolumes(), Optional.of(Topology.of(VolumeRecord.ZONE, node.zone())));
  }

  @Override
  public void stage(Stage stage) {
    var directory = stage.directory();
    Targets.check(directory, pools);
    var group = group(stage.usage());
    var found = found(stage.volumeId());
    var pool = found.pool();
    var id = stage.volumeId();
    var image = pool.volumes().image(id);
    try (var _ = pool.holds().volume(id);
        var _ = pool.holds().attachment(id, node.id())) {
      checkMine(found, stage.usage());
      limits.check(found);
      var known = pool.nodes().volume(node.id(), id);
      var alive = known.staged().filter(staged -> alive(image, staged));
      if (alive.isPresent()) {
        checkSame(id, alive.get(), directory, stage.usage());
        if (!stage.usage().block()) stager.grow(id, image, directory);
      } else stage(found, known, new Staged(directory, stage.usage()));
      group.ifPresent(it -> it.own(directory));
      laterGroups.ifPresent(LaterGroups::begin);
      beginLimits(pool, id);
    }
  }

  /// It is mounted by now: after an answer that is final for a kubelet nobody would take it down.
  private void beginLimits(Pool pool, String volumeId) {
    try {
      limits.begin(pool, volumeId);
    } catch (Refusal e) {
      throw Refusal.askAgain(
          "volume %s is staged, but without its limits: %s".formatted(volumeId, e.getMessage()), e);
    }
  }

  /// Whom the files are to belong to; nobody's wish counts where nothing can be written.
  private static Optional<MountGroup> group(Usage usage) {
    if (!(usage.access() instanceof Access.Mount access)) return Optional.empty();
    return MountGroup.of(access).filter(_ -> !usage.mode().readOnly());
  }

  private void stage(Found found, NodeVolume known, Staged wanted) {
    var pool = found.pool();
    var id = known.volumeId();
    stager.unmountDead(found.disk().image(), wanted.directory());
    Targets.checkFolder(wanted.directory());
    Targets.checkFree(wanted.directory(), kernel);
    begin(
        pool,
        known,
        known.withStaged(wanted),
        () -> {
          switch (wanted.usage().access()) {
            case Access.Block _ -> stager.device(found.disk());
            case Access.Mount access ->
                stager.mount(
                    pool, id, found.disk(), wanted.directory(), access, wanted.usage().mode());
          }
        });
  }

  /// Writes down what is wanted, then does it. Who is refused leaves all as it was.
  private void begin(Pool pool, NodeVolume known, NodeVolume wanted, Runnable act) {
    try {
      pool.nodes().put(node.id(), wanted);
      act.run();
    } catch (RuntimeException e) {
      var told = FullDisk.told(e, pool);
      if (told instanceof Refusal) forget(pool, known);
      throw told;
    }
  }

  /// Writes down less than stood there. A full disk does not hinder that: what stands there too
  /// much the kernel disproves, and it goes with the last use of the volume.
  private void forget(Pool pool, NodeVolume left) {
    try {
      pool.nodes().put(node.id(), left);
    } catch (RuntimeException e) {
      if (!FullDisk.isFull(e)) throw e;
    }
  }

  /// Only the node to which the controller gave the volume may touch its blocks.
  private void checkMine(Found found, Usage usage) {
    var record = found.record();
    if (record.recipe().block() != usage.block())
      throw Refusal.wrongState(
          "volume %s was made as a %s volume"
              .formatted(record.id(), record.recipe().block() ? "block" : "mount"));
    if (found.pool().attachments().of(record.id(), node.id()).isEmpty())
      throw Refusal.wrongState(
          "volume %s is not published on node %s; ControllerPublishVolume comes first"
              .formatted(record.id(), node.id()));
  }

  private static void checkSame(String id, Staged there, Path directory, Usage usage) {
    if (!there.directory().equals(directory))
      throw Refusal.wrongState(
          "volume %s is staged at %s; unstage it there first".formatted(id, there.directory()));
    if (!there.usage().isSameAs(usage))
      throw Refusal.existsDifferently(
          "volume %s is staged as %s; unstage it first".formatted(id, there.usage()));
  }

  private boolean alive(Path image, Staged staged) {
    return staged.usage().block()
        ? kernel.loopOf(image).isPresent()
        : isMounted(image, staged.directory());
  }

  @Override
  public void unstage(String volumeId, Path directory) {
    Targets.check(directory, pools);
    for (var pool : pools.all())
      try (var _ = pool.holds().volume(volumeId)) {
        unstage(pool, volumeId, directory);
      }
  }

  private void unstage(Pool pool, String volumeId, Path directory) {
    var image = pool.volumes().image(volumeId);
    var known = pool.nodes().volume(node.id(), volumeId);
    var here = known.staged().filter(staged -> staged.directory().equals(directory));
    if (here.isPresent()) {
      var targets =
          known.targets().stream()
              .map(Target::path)
              .filter(path -> kernel.isMounted(image, path))
              .toList();
      if (!targets.isEmpty())
        throw Refusal.wrongState(
            "volume %s is still published at %s; unpublish it there first"
                .formatted(volumeId, targets));
    }
    var last = otherNodes.with(pool, volumeId).isEmpty();
    Hold lifted = here.isPresent() && last ? limits.lift(pool, volumeId) : () -> {};
    try (lifted) {
      FrozenVolumes.thawForgotten(pool, volumeId);
      if (known.target(directory).isEmpty()) stager.unmountAll(image, directory);
      if (here.isPresent()) pool.nodes().put(node.id(), NodeVolume.none(volumeId));
      if (last && (here.isPresent() || known.staged().isEmpty())) stager.release(image);
      stager.waitUntilDetached(image);
    } catch (RuntimeException e) {
      limits.restore(pool, volumeId, e); // it may be in use yet
      throw e;
    }
  }

  @Override
  public void publish(Publish asked) {
    Targets.check(asked.target(), pools);
    if (asked.ephemeral()) {
      ephemerals.publish(asked);
      return;
    }
    group(asked.usage()); // has to be sound; it was applied when the volume was staged
    var found = found(asked.volumeId());
    var publish = isAttachedReadOnly(found) ? asked.asReadOnly() : asked;
    var pool = found.pool();
    var image = pool.volumes().image(publish.volumeId());
    try (var _ = pool.holds().volume(publish.volumeId())) {
      var known = pool.nodes().volume(node.id(), publish.volumeId());
      var alive = known.targets().stream().filter(it -> kernelHas(image, it)).toList();
      var wanted = new Target(publish.target(), publish.usage(), publish.readOnly());
      if (publish.isDone(alive.stream().map(Target::place).toList())) return;
      var staged = staged(publish, known, image);
      if (publish.usage().block()) otherNodes.check(pool, publish.volumeId(), wanted);
      stager.unmountDead(image, wanted.path());
      Targets.checkFree(wanted.path(), kernel);
      limits.set(pool, publish.volumeId()); // groups may have come since it was staged
      begin(
          pool,
          known,
          known.withTarget(wanted),
          () -> {
            if (publish.usage().block()) bindings.device(found.disk(), wanted);
            else bindings.folder(staged.directory(), wanted);
          });
    }
  }

  /// What came to the node to be read is not written to there, whatever the node is asked (CAP-06).
  private boolean isAttachedReadOnly(Found found) {
    return found
        .pool()
        .attachments()
        .of(found.record().id(), node.id())
        .filter(Publication::readOnly)
        .isPresent();
  }

  private boolean kernelHas(Path image, Target target) {
    return isMounted(image, target.path());
  }

  private boolean isMounted(Path image, Path path) {
    return kernel.isMounted(image, path) && kernel.answers(path);
  }

  private Staged staged(Publish publish, NodeVolume known, Path image) {
    var staged =
        known
            .staged()
            .filter(it -> alive(image, it))
            .filter(it -> publish.stagedAt().map(it.directory()::equals).orElse(false))
            .orElseThrow(() ->
                Refusal.wrongState(
                    "volume %s is not staged at %s; stage it first"
                        .formatted(
                            publish.volumeId(),
                            publish.stagedAt().map(Path::toString).orElse("any path"))));
    if (staged.usage().block() != publish.usage().block())
      throw Refusal.wrongState(
          "volume %s is staged as %s".formatted(publish.volumeId(), staged.usage()));
    return staged;
  }

  @Override
  public void unpublish(String volumeId, Path target) {
    Targets.check(target, pools);
    for (var pool : pools.all())
      try (var _ = pool.holds().volume(volumeId)) {
        if (ephemerals.remove(pool, volumeId, target)) continue;
        var known = pool.nodes().volume(node.id(), volumeId);
        if (known.staged().map(Staged::directory).filter(target::equals).isPresent())
          return; // it is staged there, not published
        FrozenVolumes.thawForgotten(pool, volumeId);
        stager.unmountAll(pool.volumes().image(volumeId), target);
        forget(pool, known.withoutTarget(target));
      }
    if (kernel.mounts().at(target).isEmpty()) Targets.remove(target);
  }

  /// What is in use stays so, with the limits that are set by now.
  @Override
  public void close() {
    laterGroups.ifPresent(LaterGroups::close);
  }

  private Found found(String volumeId) {
    return pools.find(volumeId).orElseThrow(() -> Refusal.noSuchVolume(volumeId));
  }
}
