package dev.berth.node.stats;

import dev.berth.csi.v1.NodeGetVolumeStatsResponse;
import dev.berth.csi.v1.VolumeUsage;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.util.Optional;

/// What a driver has said of a volume of a pod.
///
/// @param pod namespace and name
/// @param volume its name in the pod
/// @param claim whose volume it is; empty: the pod's own
/// @param bytes empty: not told
/// @param inodes empty: not told
/// @param condition empty: the driver tells of none
public record Reading(
    ObjectKey pod,
    String podUid,
    String volume,
    Optional<ObjectKey> claim,
    Optional<Usage> bytes,
    Optional<Usage> inodes,
    Optional<Condition> condition,
    Instant at) {

  /// How much there is of something, in bytes or in number.
  public record Usage(long total, long available, long used) {}

  /// @param message the driver's own words
  public record Condition(boolean abnormal, String message) {}

  /// What is counted in neither is left out.
  static Optional<Usage> usage(NodeGetVolumeStatsResponse said, VolumeUsage.Unit unit) {
    return said.getUsageList().stream()
        .filter(usage -> usage.getUnit() == unit)
        .map(usage -> new Usage(usage.getTotal(), usage.getAvailable(), usage.getUsed()))
        .findFirst();
  }

  static Optional<Condition> condition(NodeGetVolumeStatsResponse said) {
    if (!said.hasVolumeCondition()) return Optional.empty();
    var told = said.getVolumeCondition();
    return Optional.of(new Condition(told.getAbnormal(), told.getMessage()));
  }

  boolean abnormal() {
    return condition.filter(Condition::abnormal).isPresent();
  }
}
