package dev.berth.apiserver.table;

import static dev.berth.apiserver.table.Column.age;
import static dev.berth.apiserver.table.Column.text;
import static dev.berth.apiserver.table.Column.timed;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.table.Layout.Finished;
import dev.berth.kube.value.Json;
import java.util.Optional;

/// Pods.
final class PodTable {
  static final Layout LAYOUT =
      Layout.of(
              Cells.name(),
              text("Ready", "Containers that are ready, of all", PodTable::ready),
              text("Status", "What its containers are at", pod -> PodSummary.of(pod).status()),
              timed(
                  "Restarts",
                  "How often its containers were started again",
                  (pod, now) -> PodSummary.of(pod).restartsText(now)),
              age(),
              text("IP", "Its address", Cells.filled("/status/podIPs/0/ip", Cells.NONE)).wide(),
              text("Node", "Where it runs", Cells.filled("/spec/nodeName", Cells.NONE)).wide(),
              text(
                      "Nominated Node",
                      "Where room is made for it",
                      Cells.filled("/status/nominatedNodeName", Cells.NONE))
                  .wide(),
              text("Readiness Gates", "Gates that are open, of all", PodTable::gates).wide())
          .finishing(PodTable::finished);

  private PodTable() {}

  private static String ready(JsonNode pod) {
    var summary = PodSummary.of(pod);
    return summary.ready() + "/" + summary.containers();
  }

  private static String gates(JsonNode pod) {
    var gates = pod.path("spec").path("readinessGates");
    if (gates.isEmpty()) return Cells.NONE;
    long open =
        Json.list(gates, gate -> Json.text(gate, "conditionType")).stream()
            .filter(type -> PodSummary.holds(pod, type))
            .count();
    return open + "/" + gates.size();
  }

  private static Optional<Finished> finished(JsonNode pod) {
    return switch (Json.text(pod.path("status"), "phase")) {
      case "Succeeded" -> Optional.of(new Finished("Succeeded", "The pod ran to its end."));
      case "Failed" -> Optional.of(new Finished("Failed", "The pod failed."));
      default -> Optional.empty();
    };
  }
}
