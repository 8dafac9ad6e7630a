package dev.berth.apiserver.table;

import static dev.berth.apiserver.table.Column.age;
import static dev.berth.apiserver.table.Column.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.TreeSet;
import java.util.function.Function;

/// Nodes.
final class NodeTable {
  private static final String ROLE_PREFIX = "node-role.kubernetes.io/";
  private static final String ROLE = "kubernetes.io/role";
  private static final String UNKNOWN = "<unknown>";

  static final Layout LAYOUT =
      Layout.of(
          Cells.name(),
          text("Status", "Whether it is ready and takes pods", NodeTable::status),
          text("Roles", "What it is for, by its labels", NodeTable::roles),
          age(),
          text("Version", "Of its agent", Cells.at("/status/nodeInfo/kubeletVersion")),
          text("Internal-IP", "Address within the cluster", address("InternalIP")).wide(),
          text("External-IP", "Address from outside", address("ExternalIP")).wide(),
          text("OS-Image", "Its system", Cells.filled("/status/nodeInfo/osImage", UNKNOWN)).wide(),
          text(
                  "Kernel-Version",
                  "Its kernel",
                  Cells.filled("/status/nodeInfo/kernelVersion", UNKNOWN))
              .wide(),
          text(
                  "Container-Runtime",
                  "What runs its containers",
                  Cells.filled("/status/nodeInfo/containerRuntimeVersion", UNKNOWN))
              .wide());

  private NodeTable() {}

  private static String status(JsonNode node) {
    var words = new ArrayList<String>();
    for (var condition : node.path("status").path("conditions"))
      if (Json.text(condition, "type").equals("Ready"))
        words.add(Json.text(condition, "status").equals("True") ? "Ready" : "NotReady");
    if (words.isEmpty()) words.add("Unknown");
    if (node.path("spec").path("unschedulable").asBoolean()) words.add("SchedulingDisabled");
    return String.join(",", words);
  }

  private static String roles(JsonNode node) {
    var roles = new TreeSet<String>();
    Json.texts(node.path("metadata").path("labels"))
        .forEach((label, value) -> {
          if (label.startsWith(ROLE_PREFIX)) roles.add(label.substring(ROLE_PREFIX.length()));
          if (label.equals(ROLE)) roles.add(value);
        });
    roles.remove("");
    return roles.isEmpty() ? Cells.NONE : String.join(",", roles);
  }

  private static Function<JsonNode, String> address(String type) {
    return node -> {
      for (var address : node.path("status").path("addresses"))
        if (Json.text(address, "type").equals(type)) return Json.text(address, "address");
      return Cells.NONE;
    };
  }
}
