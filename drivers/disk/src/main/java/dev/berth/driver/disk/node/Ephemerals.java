package dev.berth.driver.disk.node;

import dev.berth.driver.disk.file.OwnerOnly;
import dev.berth.driver.disk.pool.Allocation;
import dev.berth.driver.disk.pool.Disk;
import dev.berth.driver.disk.pool.FullDisk;
import dev.berth.driver.disk.pool.NodeVolume;
import dev.berth.driver.disk.pool.NodeVolume.Target;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Promises;
import dev.berth.driver.disk.pool.VolumeStore;
import dev.berth.driver.model.Access;
import dev.berth.driver.model.AccessMode;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.spi.NodePublishing.Publish;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Volumes that live and die with a pod: publishing makes them, unpublishing removes them (NOD-26).
/// No controller knows of them. The node's record comes first and goes last, so that whatever there
/// is belongs to one.
record Ephemerals(Pools pools, String nodeId, Kernel kernel, Stager stager) {
  /// Whether the volume is one of these.
  boolean has(Pool pool, String volumeId) {
    return Files.exists(image(pool, volumeId));
  }

  private Path image(Pool pool, String volumeId) {
    return pool.nodes().ephemeral(nodeId, volumeId);
  }

  void publish(Publish publish) {
    if (!(publish.usage().access() instanceof Access.Mount access))
      throw Refusal.invalid("an ephemeral volume is mounted; it cannot be a block volume");
    var wish = EphemeralWish.of(publish.volumeContext());
    var group = MountGroup.of(access);
    var pool = wish.choose(pools);
    try (var _ = pool.holds().volume(publish.volumeId())) {
      var wanted = new Target(publish.target(), publish.usage(), publish.readOnly());
      var known = pool.nodes().volume(nodeId, publish.volumeId());
      var image = image(pool, publish.volumeId());
      var alive =
          known.targets().stream()
              .filter(it -> kernel.isMounted(image, it.path()))
              .filter(it -> kernel.answers(it.path()));
      if (publish.isDone(alive.map(Target::place).toList())) return;
      pools
          .find(publish.volumeId())
          .ifPresent(it -> {
            throw Refusal.wrongState("volume " + it.record().id() + " is not ephemeral");
          });
      stager.unmountDead(image, wanted.path());
      Targets.checkFree(wanted.path(), kernel);
      var fresh = !Files.exists(image);
      if (fresh) checkRoom(pool);
      try {
        pool.nodes().put(nodeId, known.withTarget(wanted));
        if (fresh) make(image, wish.bytes());
        mount(pool, publish, image, access);
        if (!publish.readOnly()) group.ifPresent(it -> it.own(wanted.path()));
      } catch (RuntimeException e) {
        var told = FullDisk.told(e, pool);
        // What was there before holds what the pod has written.
        if (told instanceof Refusal && fresh) remove(pool, publish.volumeId(), wanted.path());
        throw told;
      }
    }
  }

  /// What is free below that belongs to the volumes that there are.
  private static void checkRoom(Pool pool) {
    if (pool.usage(Promises.LEAST_FREE).available() < Promises.LEAST_FREE)
      throw Refusal.noRoom(
              "pool %s has less than %d bytes free; remove volumes or add a pool"
                  .formatted(pool.folder(), Promises.LEAST_FREE))
          .as("disk/pool-full");
  }

  private void mount(Pool pool, Publish publish, Path image, Access.Mount access) {
    Targets.makeFolder(publish.target());
    var mode = publish.readOnly() ? AccessMode.SINGLE_NODE_READER_ONLY : publish.usage().mode();
    var disk = new Disk(image, Disk.sectorFor(image), Allocation.THIN);
    stager.mount(pool, publish.volumeId(), disk, publish.target(), access, mode);
  }

  private static void make(Path image, long bytes) {
    try {
      OwnerOnly.makeFile(image);
      try (var file = new RandomAccessFile(image.toFile(), "rw")) {
        file.setLength(bytes);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make " + image + ": " + e.getMessage(), e);
    }
  }

  /// Takes the volume away, with all that it holds.
  ///
  /// @return whether it was one of these
  boolean remove(Pool pool, String volumeId, Path target) {
    var image = image(pool, volumeId);
    if (!Files.exists(image)) return false;
    stager.unmountAll(image, target);
    var left =
        pool.nodes().volume(nodeId, volumeId).targets().stream()
            .filter(it -> !it.path().equals(target))
            .filter(it -> kernel.isMounted(image, it.path()))
            .toList();
    if (left.isEmpty()) {
      stager.waitUntilDetached(image);
      delete(VolumeStore.formatting(image));
      delete(image);
      pool.nodes().put(nodeId, NodeVolume.none(volumeId));
    }
    return true;
  }

  /// Removes what a record that was damaged told of.
  void sweep(Pool pool) {
    for (var file : pool.nodes().ephemeralOfNobody(nodeId))
      if (kernel.loopOf(file).isEmpty()) delete(file);
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove " + file + ": " + e.getMessage(), e);
    }
  }
}
