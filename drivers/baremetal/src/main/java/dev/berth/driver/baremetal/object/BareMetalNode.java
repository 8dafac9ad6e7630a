package dev.berth.driver.baremetal.object;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.object.KubeObject;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Json;
import java.util.Map;
import java.util.TreeMap;

/// A node that has drives (BM-15): kind `Node` of our group. Its id outlives the host that bears
/// it.
///
/// @param uuid the driver's node id
/// @param addresses by type, such as `Hostname`, `InternalIP`
/// @param heartbeat changes as long as its driver lives (BM-170); empty: it has never said so
public record BareMetalNode(Meta meta, String uuid, Map<String, String> addresses, String heartbeat)
    implements KubeObject {
  /// Field of `status`: [#heartbeat].
  public static final String HEARTBEAT = "Heartbeat";

  private static final String PREFIX = "csibmnode-";

  public BareMetalNode {
    addresses = Map.copyOf(addresses);
  }

  static BareMetalNode read(JsonNode tree) {
    var spec = tree.path("spec");
    return new BareMetalNode(
        Meta.of(tree),
        Json.text(spec, "UUID"),
        Json.texts(spec.path("Addresses")),
        Json.text(tree.path("status"), HEARTBEAT));
  }

  /// Where the object of a node stands.
  public static ObjectKey key(String uuid) {
    return ObjectKey.cluster(PREFIX + uuid);
  }

  /// A new object.
  public static ObjectNode draft(String uuid, Map<String, String> addresses) {
    var node =
        JsonNodeFactory.instance
            .objectNode()
            .put("apiVersion", BareMetalKinds.NODES.apiVersion())
            .put("kind", BareMetalKinds.NODES.kind());
    node.putObject("metadata").put("name", PREFIX + uuid);
    var all = node.putObject("spec").put("UUID", uuid).putObject("Addresses");
    new TreeMap<>(addresses).forEach(all::put);
    return node;
  }
}
