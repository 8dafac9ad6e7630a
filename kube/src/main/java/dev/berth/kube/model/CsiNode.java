package dev.berth.kube.model;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/// A CSINode: the drivers that are registered on a node.
///
/// @param storage what is wrong with the storage behind them, by their names
public record CsiNode(Meta meta, List<Driver> drivers, Map<String, List<StorageHealth>> storage)
    implements KubeObject {
  public CsiNode {
    drivers = List.copyOf(drivers);
    storage = Map.copyOf(storage);
  }

  /// @param nodeId the driver's own name of the node
  /// @param topologyKeys node labels that place the node for this driver
  /// @param maxVolumes how many volumes of the driver fit on the node; empty: no limit
  public record Driver(
      String name, String nodeId, List<String> topologyKeys, OptionalLong maxVolumes) {
    public Driver {
      topologyKeys = List.copyOf(topologyKeys);
    }
  }

  static CsiNode of(JsonNode object) {
    return new CsiNode(
        Meta.of(object),
        Json.list(
            object.path("spec").path("drivers"),
            driver ->
                new Driver(
                    Json.text(driver, "name"),
                    Json.text(driver, "nodeID"),
                    Json.list(driver.path("topologyKeys"), JsonNode::asText),
                    driver.path("allocatable").hasNonNull("count")
                        ? OptionalLong.of(driver.path("allocatable").path("count").asLong())
                        : OptionalLong.empty())),
        StorageHealth.read(object.path("status")));
  }

  public Ref ref() {
    return Ref.of(Resources.CSI_NODES, meta);
  }

  public Optional<Driver> driver(String name) {
    return drivers.stream().filter(driver -> driver.name().equals(name)).findFirst();
  }
}
