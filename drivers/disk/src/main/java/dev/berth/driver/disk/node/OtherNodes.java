package dev.berth.driver.disk.node;

import dev.berth.driver.disk.pool.NodeVolume.Target;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.PoolNode;
import dev.berth.driver.model.Refusal;
import java.util.List;

/// What the other nodes of this machine have of a volume. What they have mounted may be out of our
/// sight: their records count.
///
/// @param nodeId of this one
record OtherNodes(String nodeId) {
  /// Those that have the volume staged.
  List<String> with(Pool pool, String volumeId) {
    return all(pool, volumeId).stream()
        .filter(other -> pool.nodes().volume(other, volumeId).staged().isPresent())
        .toList();
  }

  /// The kernel knows read-only of a whole device only, and the nodes of a machine share it
  /// (CAP-06).
  ///
  /// @throws Refusal WRONG_STATE if one of them shows it in the other way
  void check(Pool pool, String volumeId, Target wanted) {
    for (var other : all(pool, volumeId))
      pool.nodes().volume(other, volumeId).targets().stream()
          .filter(it -> it.readOnly() != wanted.readOnly())
          .findFirst()
          .ifPresent(it -> {
            throw Refusal.wrongState(
                "volume %s is %s at %s of node %s, which shares its device; unpublish it there"
                        .formatted(
                            volumeId, it.readOnly() ? "read-only" : "writable", it.path(), other)
                    + " first");
          });
  }

  private List<String> all(Pool pool, String volumeId) {
    return pool.nodes().all().stream()
        .map(PoolNode::id)
        .filter(other -> !other.equals(nodeId) && mayHave(pool, other, volumeId))
        .toList();
  }

  /// What is staged is attached. The record of a node that the volume was taken from has outlived a
  /// restart of the machine, and its node may never come to forget it.
  private static boolean mayHave(Pool pool, String other, String volumeId) {
    try {
      return pool.attachments().of(volumeId, other).isPresent();
    } catch (Refusal _) {
      return true; // nobody knows: the ledger is damaged
    }
  }
}
