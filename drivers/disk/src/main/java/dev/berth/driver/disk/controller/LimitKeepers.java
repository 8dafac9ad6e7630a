package dev.berth.driver.disk.controller;

import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.PoolNode;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Topology;
import java.util.List;
import java.util.Optional;

/// Which nodes can keep the limits of volumes. They say so when they begin, so that a wish that
/// nobody can fulfil is refused when it is made, not when a pod waits for its volume.
final class LimitKeepers {
  /// Why a volume in a pool would have no node to be limited on; empty: there is one, or no node
  /// has come yet.
  static Optional<String> whyNone(Pool pool, Placement placement) {
    var nodes =
        pool.nodes().all().stream()
            .filter(it -> placement.accepts(List.of(Topology.of(VolumeRecord.ZONE, it.zone()))))
            .toList();
    if (nodes.stream().anyMatch(it -> it.whyNoLimits().isEmpty())) return Optional.empty();
    return nodes.stream().findFirst().map(LimitKeepers::words);
  }

  /// Why a volume could not be used on a node; empty: it can.
  static Optional<String> whyNot(PoolNode node, Limits limits) {
    return limits.equals(Limits.NONE) ? Optional.empty() : node.whyNoLimits().map(_ -> words(node));
  }

  private static String words(PoolNode node) {
    return "node %s cannot limit a volume: %s"
        .formatted(node.id(), node.whyNoLimits().orElse("it does not say why"));
  }

  /// Refuses limits that cannot be kept where the volume is published, or nowhere at all.
  ///
  /// @throws Refusal INVALID
  static void check(Pool pool, String volumeId, Limits limits) {
    if (limits.equals(Limits.NONE)) return;
    var users = pool.attachments().of(volumeId);
    var objection =
        users.isEmpty()
            ? whyNone(pool, Placement.ANYWHERE)
            : users.stream()
                .flatMap(it -> pool.nodes().find(it.nodeId()).stream())
                .flatMap(node -> whyNot(node, limits).stream())
                .findFirst();
    objection.ifPresent(why -> {
      throw Refusal.invalid(why + "; leave out the limits");
    });
  }

  private LimitKeepers() {}
}
