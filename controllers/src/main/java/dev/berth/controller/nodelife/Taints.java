package dev.berth.controller.nodelife;

import static dev.berth.controller.nodelife.Conditions.DISK_PRESSURE;
import static dev.berth.controller.nodelife.Conditions.MEMORY_PRESSURE;
import static dev.berth.controller.nodelife.Conditions.NETWORK_UNAVAILABLE;
import static dev.berth.controller.nodelife.Conditions.PID_PRESSURE;
import static dev.berth.controller.nodelife.Conditions.READY;
import static dev.berth.controller.nodelife.Conditions.UNKNOWN;

import dev.berth.kube.model.Node;
import dev.berth.kube.model.Node.Taint;
import dev.berth.kube.name.Labels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The taints that a node is to have by its conditions. All others are left as they are.
final class Taints {
  static final String NO_SCHEDULE = "NoSchedule";
  static final String NO_EXECUTE = "NoExecute";

  private static final Set<String> KEEPING_AWAY =
      Set.of(
          Labels.NOT_READY_TAINT,
          Labels.UNREACHABLE_TAINT,
          Labels.MEMORY_PRESSURE_TAINT,
          Labels.DISK_PRESSURE_TAINT,
          Labels.PID_PRESSURE_TAINT,
          Labels.NETWORK_TAINT,
          Labels.UNSCHEDULABLE_TAINT);

  private static final Set<String> EMPTYING =
      Set.of(Labels.NOT_READY_TAINT, Labels.UNREACHABLE_TAINT);

  private Taints() {}

  /// Which taint takes pods off a node in this state; empty: none.
  static Optional<Taint> emptying(Node node) {
    return trouble(node).map(key -> new Taint(key, "", NO_EXECUTE));
  }

  /// Whether it is one of those.
  static boolean isEmptying(Taint taint) {
    return taint.effect().equals(NO_EXECUTE) && EMPTYING.contains(taint.key());
  }

  /// All taints that the node is to have.
  ///
  /// @param emptying the one that takes its pods off; empty: they may stay
  /// @param now when new ones are added
  static List<Taint> wanted(Node node, Optional<Taint> emptying, Instant now) {
    var ours = new ArrayList<>(keepingAway(node));
    emptying.ifPresent(ours::add);
    var all = new ArrayList<Taint>();
    for (var taint : node.taints()) {
      boolean wanted = ours.removeIf(taint::isLike);
      if (wanted || !isOurs(taint)) all.add(taint);
    }
    for (var taint : ours)
      all.add(new Taint(taint.key(), taint.value(), taint.effect(), Optional.of(now)));
    return all;
  }

  private static boolean isOurs(Taint taint) {
    return isEmptying(taint)
        || taint.effect().equals(NO_SCHEDULE) && KEEPING_AWAY.contains(taint.key());
  }

  private static List<Taint> keepingAway(Node node) {
    var keys = new ArrayList<String>();
    trouble(node).ifPresent(keys::add);
    if (isTrue(node, MEMORY_PRESSURE)) keys.add(Labels.MEMORY_PRESSURE_TAINT);
    if (isTrue(node, DISK_PRESSURE)) keys.add(Labels.DISK_PRESSURE_TAINT);
    if (isTrue(node, PID_PRESSURE)) keys.add(Labels.PID_PRESSURE_TAINT);
    if (isTrue(node, NETWORK_UNAVAILABLE)) keys.add(Labels.NETWORK_TAINT);
    if (node.unschedulable()) keys.add(Labels.UNSCHEDULABLE_TAINT);
    return keys.stream().map(key -> new Taint(key, "", NO_SCHEDULE)).toList();
  }

  private static boolean isTrue(Node node, String type) {
    return Conditions.status(node, type).filter("True"::equals).isPresent();
  }

  /// One that says that it is not ready can be reached; of one that says nothing yet nobody knows.
  private static Optional<String> trouble(Node node) {
    return Conditions.status(node, READY)
        .filter(status -> !status.equals("True"))
        .map(status -> status.equals(UNKNOWN) ? Labels.UNREACHABLE_TAINT : Labels.NOT_READY_TAINT);
  }
}
