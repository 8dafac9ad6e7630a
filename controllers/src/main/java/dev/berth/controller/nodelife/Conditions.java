package dev.berth.controller.nodelife;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.model.Node;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/// What agents say of their nodes, and what is said for those that are silent.
final class Conditions {
  static final String READY = "Ready";
  static final String MEMORY_PRESSURE = "MemoryPressure";
  static final String DISK_PRESSURE = "DiskPressure";
  static final String PID_PRESSURE = "PIDPressure";
  static final String NETWORK_UNAVAILABLE = "NetworkUnavailable";

  static final String UNKNOWN = "Unknown";

  /// Those that an agent writes; the network is somebody else's.
  private static final List<String> AGENTS =
      List.of(READY, MEMORY_PRESSURE, DISK_PRESSURE, PID_PRESSURE);

  private Conditions() {}

  /// `True`, `False`, `Unknown`; empty: nobody has said it.
  static Optional<String> status(Node node, String type) {
    return node.condition(type).map(Node.Condition::status);
  }

  /// What nobody knows any more, to be merged by type; empty: all of it is said already.
  static Optional<JsonNode> doubted(Node node, Instant now) {
    var doubted = JsonNodeFactory.instance.arrayNode();
    for (var type : AGENTS) {
      var status = status(node, type);
      if (status.filter(UNKNOWN::equals).isPresent()) continue;
      var entry =
          doubted
              .addObject()
              .put("type", type)
              .put("status", UNKNOWN)
              .put("lastTransitionTime", text(now));
      if (status.isPresent())
        entry
            .put("reason", "NodeStatusUnknown")
            .put("message", "Kubelet stopped posting node status.");
      else
        entry
            .put("reason", "NodeStatusNeverUpdated")
            .put("message", "Kubelet never posted node status.")
            .put("lastHeartbeatTime", text(node.meta().created()));
    }
    return doubted.isEmpty() ? Optional.empty() : Optional.of(doubted);
  }

  static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
