package dev.berth.apiserver.table;

import static dev.berth.apiserver.table.Column.age;
import static dev.berth.apiserver.table.Column.number;
import static dev.berth.apiserver.table.Column.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.state.Served;
import dev.berth.kube.model.Json;
import dev.berth.kube.model.Resource;
import dev.berth.kube.model.Resources;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The layouts of all kinds.
public final class Tables {
  /// For a kind that upstream has no columns for.
  private static final Layout PLAIN =
      Layout.of(
          Cells.name(),
          text(
              "Created At",
              "When the object was created",
              object -> Json.text(object.path("metadata"), "creationTimestamp")));

  private static final Layout NAMESPACE =
      Layout.of(
          Cells.name(),
          text("Status", "Whether it is in use or on its way out", Cells.at("/status/phase")),
          age());

  private static final Layout SECRET =
      Layout.of(
          Cells.name(),
          text("Type", "What programs expect in it", Cells.at("/type")),
          number("Data", "Number of its entries", secret -> secret.path("data").size()).asText(),
          age());

  private static final Layout CONFIG_MAP =
      Layout.of(
          Cells.name(), number("Data", "Number of its entries", Tables::entries).asText(), age());

  private static final Layout SERVICE_ACCOUNT = Layout.of(Cells.name(), age());

  private static final Layout LEASE =
      Layout.of(
          Cells.name(),
          text("Holder", "Who holds it now", Cells.at("/spec/holderIdentity")),
          age());

  private static final Map<Resource, Layout> OWN =
      Map.ofEntries(
          Map.entry(Resources.NAMESPACES, NAMESPACE),
          Map.entry(Resources.NODES, NodeTable.LAYOUT),
          Map.entry(Resources.PODS, PodTable.LAYOUT),
          Map.entry(Resources.VOLUMES, VolumeTables.VOLUME),
          Map.entry(Resources.CLAIMS, VolumeTables.CLAIM),
          Map.entry(Resources.SECRETS, SECRET),
          Map.entry(Resources.CONFIG_MAPS, CONFIG_MAP),
          Map.entry(Resources.SERVICE_ACCOUNTS, SERVICE_ACCOUNT),
          Map.entry(Resources.EVENTS, EventTable.LAYOUT),
          Map.entry(Resources.STORAGE_CLASSES, VolumeTables.STORAGE_CLASS),
          Map.entry(Resources.ATTRIBUTES_CLASSES, VolumeTables.ATTRIBUTES_CLASS),
          Map.entry(Resources.ATTACHMENTS, VolumeTables.ATTACHMENT),
          Map.entry(Resources.STORAGE_CAPACITIES, VolumeTables.STORAGE_CAPACITY),
          Map.entry(Resources.CSI_NODES, DriverTables.CSI_NODE),
          Map.entry(Resources.CSI_DRIVERS, DriverTables.CSI_DRIVER),
          Map.entry(Resources.LEASES, LEASE));

  private static final Map<Resource, Layout> LAYOUTS =
      layouts(OWN, WorkloadTables.ALL, NetworkTables.ALL, PolicyTables.ALL, RbacTables.ALL);

  private Tables() {}

  @SafeVarargs
  private static Map<Resource, Layout> layouts(Map<Resource, Layout>... parts) {
    return Stream.of(parts)
        .flatMap(part -> part.entrySet().stream())
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /// Of a kind as it is served.
  public static Layout of(Served kind) {
    return kind.custom().map(CustomTable::layout).orElseGet(() -> of(kind.resource()));
  }

  /// Of a built-in kind.
  public static Layout of(Resource resource) {
    return LAYOUTS.getOrDefault(resource, PLAIN);
  }

  private static int entries(JsonNode configMap) {
    return configMap.path("data").size() + configMap.path("binaryData").size();
  }
}
