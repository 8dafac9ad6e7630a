package dev.berth.apiserver.table;

import static dev.berth.apiserver.table.Column.age;
import static dev.berth.apiserver.table.Column.number;
import static dev.berth.apiserver.table.Column.text;
import static dev.berth.apiserver.table.Column.truth;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.apiserver.core.custom.Definition;
import dev.berth.apiserver.core.state.Served;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The layouts of all kinds.
public final class Tables {
  /// For a kind that upstream has no columns for.
  private static final Layout PLAIN = Layout.of(Cells.name(), createdAt());

  /// Where clients look for what to reach a kind by.
  private static final Layout DEFINITION =
      Layout.of(
          Cells.name(),
          text("Scope", "Whether its objects are in namespaces", Cells.at("/spec/scope")),
          text("Versions", "Which are served, and which is stored", Tables::versions),
          createdAt(),
          text("Group", "Group of its API", Cells.at("/spec/group")).wide(),
          text("Kind", "What its objects say that they are", Cells.at("/spec/names/kind")).wide(),
          text("ShortNames", "What else it can be called", Tables::shortNames).wide(),
          truth("Established", "Whether it is served", Definition::established).wide());

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
          Map.entry(Resources.CSI_NODES, DriverTables.CSI_NODE),
          Map.entry(Resources.CSI_DRIVERS, DriverTables.CSI_DRIVER),
          Map.entry(Resources.LEASES, LEASE),
          Map.entry(Resources.DEFINITIONS, DEFINITION));

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
    if (kind.conversion().isPresent()) return of(kind.storedAs()).seeing(kind::store);
    return kind.custom().map(CustomTable::layout).orElseGet(() -> of(kind.resource()));
  }

  /// Of a built-in kind.
  public static Layout of(Resource resource) {
    return LAYOUTS.getOrDefault(resource, PLAIN);
  }

  private static Column createdAt() {
    return text(
            "Created At",
            "When the object was created",
            object -> Json.text(object.path("metadata"), "creationTimestamp"))
        .asDate();
  }

  /// `v1(storage),v1beta1`.
  private static String versions(JsonNode definition) {
    return String.join(
        ",",
        Json.list(
            definition.at("/spec/versions"),
            version ->
                Json.text(version, "name")
                    + (version.path("storage").asBoolean() ? "(storage)" : "")));
  }

  private static String shortNames(JsonNode definition) {
    return String.join(",", Json.list(definition.at("/spec/names/shortNames"), JsonNode::asText));
  }

  private static int entries(JsonNode configMap) {
    return configMap.path("data").size() + configMap.path("binaryData").size();
  }
}
