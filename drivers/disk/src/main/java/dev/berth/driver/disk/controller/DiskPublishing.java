package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.pool.InUse;
import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.PoolNode;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.disk.pool.Pools.Found;
import dev.berth.driver.model.Publication;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Secrets;
import dev.berth.driver.model.Usage;
import dev.berth.driver.model.Volume;
import dev.berth.driver.spi.Publishing;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Who may use a volume: a node stages only what is published to it.
public final class DiskPublishing implements Publishing {
  private final Pools pools;
  private final InUse inUse;

  public DiskPublishing(Pools pools, InUse inUse) {
    this.pools = pools;
    this.inUse = inUse;
  }

  @Override
  public boolean knowsNode(String nodeId) {
    return pools.all().stream().anyMatch(pool -> pool.nodes().find(nodeId).isPresent());
  }

  @Override
  public List<Publication> publications(Volume volume) {
    return pools.find(volume.id()).stream().flatMap(found -> publications(found).stream()).toList();
  }

  private static List<Publication> publications(Found found) {
    return found.pool().attachments().of(found.record().id()).stream()
        .map(it -> new Publication(it.nodeId(), it.usage(), it.readOnly(), context(found.pool())))
        .toList();
  }

  private static Map<String, String> context(Pool pool) {
    return Map.of("disk.berth.dev/pool", pool.id());
  }

  @Override
  public Map<String, String> publish(
      Volume volume, String nodeId, Usage usage, boolean readOnly, Secrets secrets) {
    var pool = found(volume.id()).pool();
    pool.control();
    var node = pool.nodes().find(nodeId);
    if (node.isEmpty())
      throw Refusal.noRoom(
              "node %s does not reach pool %s, where volume %s is"
                  .formatted(nodeId, pool.folder(), volume.id()))
          .as("disk/unreachable");
    var limits = Limits.of(found(volume.id()).record().mutable());
    LimitKeepers.whyNot(node.get(), limits)
        .ifPresent(why -> {
          throw Refusal.wrongState(
              "volume %s has limits, and %s; take the limits away or use another node"
                  .formatted(volume.id(), why));
        });
    var deciding = pool.attachments().deciding(volume.id());
    deciding.lock();
    try {
      var wish = new Publication(nodeId, usage, readOnly, Map.of());
      checkBeside(found(volume.id()), wish);
      add(pool, volume.id(), node.get(), wish);
    } finally {
      deciding.unlock();
    }
    return context(pool);
  }

  /// Another service of this process may have given the volume to a node since ours looked
  /// (CTL-03).
  private static void checkBeside(Found volume, Publication wish) {
    var id = volume.record().id();
    for (var other : volume.pool().attachments().of(id))
      if (!other.nodeId().equals(wish.nodeId()))
        other
            .objection(id, wish)
            .ifPresent(objection -> {
              throw Refusal.wrongState(objection);
            });
  }

  private void add(Pool pool, String volumeId, PoolNode node, Publication publication) {
    var counting = pools.all().getFirst().attachments().counting(node.id());
    counting.lock();
    try {
      checkLimit(node);
      pool.attachments().put(volumeId, publication);
    } finally {
      counting.unlock();
    }
  }

  private void checkLimit(PoolNode node) {
    if (node.maxVolumes() == 0) return;
    var count = pools.all().stream().mapToLong(pool -> pool.attachments().count(node.id())).sum();
    if (count >= node.maxVolumes())
      throw Refusal.noRoom(
              "node %s has %d volumes, as many as it can take".formatted(node.id(), count))
          .as("disk/node-full");
  }

  private Found found(String volumeId) {
    return pools.find(volumeId).orElseThrow(() -> Refusal.noSuchVolume(volumeId));
  }

  @Override
  public void unpublish(String volumeId, Optional<String> nodeId, Secrets secrets) {
    for (var pool : pools.all()) {
      pool.control();
      for (var publication : pool.attachments().of(volumeId))
        if (nodeId.isEmpty() || nodeId.get().equals(publication.nodeId()))
          unpublish(pool, volumeId, publication.nodeId());
    }
  }

  /// A node that still has it staged keeps it: another one would write to the same blocks.
  private void unpublish(Pool pool, String volumeId, String nodeId) {
    try (var _ =
        pool.holds().attachment(volumeId, nodeId)) { // it does not stage the volume meanwhile
      var recorded = !pool.nodes().volume(nodeId, volumeId).empty();
      if (recorded && inUse.of(pool, volumeId).isPresent())
        throw Refusal.wrongState(
            "volume %s is still staged on node %s; unstage it first".formatted(volumeId, nodeId));
      pool.attachments().remove(volumeId, nodeId);
    }
  }
}
