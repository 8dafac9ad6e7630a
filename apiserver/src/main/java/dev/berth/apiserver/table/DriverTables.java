package dev.berth.apiserver.table;

import static dev.berth.apiserver.table.Column.age;
import static dev.berth.apiserver.table.Column.number;
import static dev.berth.apiserver.table.Column.text;
import static dev.berth.apiserver.table.Column.truth;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;

/// CSI drivers, and the nodes that have them.
final class DriverTables {
  static final Layout CSI_NODE =
      Layout.of(
          Cells.name(),
          number(
              "Drivers",
              "How many drivers have registered",
              node -> node.path("spec").path("drivers").size()),
          age());

  static final Layout CSI_DRIVER =
      Layout.of(
          Cells.name(),
          truth(
              "AttachRequired",
              "Whether its volumes are attached before they are mounted",
              driver -> driver.path("spec").path("attachRequired").asBoolean(true)),
          truth(
              "PodInfoOnMount",
              "Whether it is told of the pod",
              driver -> driver.path("spec").path("podInfoOnMount").asBoolean()),
          truth(
              "StorageCapacity",
              "Whether pods are placed by the capacity that it reports",
              driver -> driver.path("spec").path("storageCapacity").asBoolean()),
          text("TokenRequests", "Whom its tokens are for", DriverTables::audiences),
          truth(
              "RequiresRepublish",
              "Whether it is asked to mount again from time to time",
              driver -> driver.path("spec").path("requiresRepublish").asBoolean()),
          text("Modes", "Whether its volumes outlive pods", DriverTables::modes),
          age());

  private DriverTables() {}

  private static String audiences(JsonNode driver) {
    var requests = driver.path("spec").path("tokenRequests");
    return requests.isArray()
        ? String.join(",", Json.list(requests, request -> Json.text(request, "audience")))
        : Cells.UNSET;
  }

  private static String modes(JsonNode driver) {
    var modes = driver.path("spec").path("volumeLifecycleModes");
    return modes.isEmpty() ? Cells.NONE : String.join(",", Json.list(modes, JsonNode::asText));
  }
}
