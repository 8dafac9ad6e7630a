package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The world of one scenario on one side: what its names stand for, and what people and
/// Kubernetes' own controllers do in it.
final class Stage {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Pattern HOLE = Pattern.compile("<(T|ns|driver|port|reg|(uid|pv|at):[^<>]+)>");

  private final Cluster cluster;
  private final String token;
  private final String driverName;
  private final int port;
  private final Path folder;
  private final Map<String, String> uids;

  /// @param folder where registration sockets are
  /// @param uids what each is of, which grows
  Stage(
      Cluster cluster,
      String token,
      String driverName,
      int port,
      Path folder,
      Map<String, String> uids) {
    this.cluster = cluster;
    this.token = token;
    this.driverName = driverName;
    this.port = port;
    this.folder = folder;
    this.uids = uids;
  }

  String filled(String text) {
    return HOLE.matcher(text).replaceAll(hole -> Matcher.quoteReplacement(value(hole.group(1))));
  }

  private String value(String hole) {
    try {
      if (hole.equals("T") || hole.equals("ns")) return token;
      if (hole.equals("driver")) return driverName;
      if (hole.equals("port")) return "" + port;
      if (hole.equals("reg")) return Files.createDirectories(folder).toString();
      var parts = hole.split(":", 3);
      return switch (parts[0]) {
        case "uid" -> cluster.get(parts[1], token).at("/metadata/uid").asText();
        case "pv" -> {
          for (var each : cluster.list("pv", ""))
            if (each.at("/spec/claimRef/namespace").asText().equals(token)
                && each.at("/spec/claimRef/name").asText().equals(parts[1]))
              yield each.at("/metadata/name").asText();
          yield "none";
        }
        default -> cluster.get(parts[1], token).at(parts[2]).asText();
      };
    } catch (Exception unknown) {
      throw new IllegalStateException(hole, unknown);
    }
  }

  ObjectNode object(String yaml) throws Exception {
    return (ObjectNode) new com.fasterxml.jackson.dataformat.yaml.YAMLMapper().readTree(filled(yaml));
  }

  ObjectNode whole(ObjectNode object) {
    var word = Cluster.word(object);
    var metadata = object.withObject("/metadata");
    if (List.of("pvc", "vs", "vgs", "secret", "pod", "lease").contains(word) && !metadata.has("namespace"))
      metadata.put("namespace", token);
    return object;
  }

  ObjectNode create(ObjectNode object) throws Exception {
    var made = cluster.create(object);
    know(made);
    return made;
  }

  private void know(JsonNode made) {
    uids.put(
        made.at("/metadata/uid").asText(),
        Cluster.word(made) + "/" + made.at("/metadata/name").asText().replace(token, "T"));
  }

  /// A node with the driver on it.
  void node(JsonNode it) throws Exception {
    var name = token + "-" + it.path("name").asText("n1");
    if (!it.path("absent").asBoolean()) {
      var node = object("{kind: Node, metadata: {name: " + name + "}}");
      ((ObjectNode) node.get("metadata")).set("labels", it.path("labels").isMissingNode() ? JSON.createObjectNode() : it.path("labels"));
      create(node);
    }
    if (it.path("bare").asBoolean()) return;
    var entry = JSON.createObjectNode().put("name", driverName).put("nodeID", it.path("id").asText("id-of-" + it.path("name").asText("n1")));
    if (it.has("keys")) entry.set("topologyKeys", it.get("keys"));
    var csi = object("{kind: CSINode, metadata: {name: " + name + "}, spec: {drivers: []}}");
    ((com.fasterxml.jackson.databind.node.ArrayNode) csi.at("/spec/drivers")).add(entry);
    create(csi);
  }

  /// What the PV controller does when it binds.
  void bound(JsonNode it) throws Exception {
    var claim = it.path("claim").asText(it.asText("data"));
    var volume = it.has("volume") ? it.get("volume").asText() : value("pv:" + claim);
    var pv = cluster.get("pv/" + volume, "");
    var of = cluster.get("pvc/" + claim, token);
    if (pv.at("/spec/claimRef/uid").isMissingNode()) {
      var ref = JSON.createObjectNode();
      ref.putObject("spec").putObject("claimRef").put("kind", "PersistentVolumeClaim").put("apiVersion", "v1")
          .put("namespace", token).put("name", claim).put("uid", of.at("/metadata/uid").asText());
      cluster.patch("pv/" + volume, "", "", ref);
    }
    cluster.patch("pvc/" + claim, token, "", JSON.readTree("{\"spec\":{\"volumeName\":\"" + volume + "\"}}"));
    cluster.patch("pv/" + volume, "", "/status", JSON.readTree("{\"status\":{\"phase\":\"Bound\"}}"));
    var status = JSON.createObjectNode();
    status.put("phase", "Bound");
    status.set("accessModes", pv.at("/spec/accessModes"));
    status.set("capacity", it.has("capacity") ? JSON.createObjectNode().set("storage", it.get("capacity")) : pv.at("/spec/capacity"));
    cluster.patch("pvc/" + claim, token, "/status", JSON.createObjectNode().set("status", status));
  }

  /// The claim goes, and what the PV controller then does.
  void release(String claim) throws Exception {
    var volume = value("pv:" + claim);
    delete("pvc/" + claim);
    cluster.patch("pv/" + volume, "", "/status", JSON.readTree("{\"status\":{\"phase\":\"Released\"}}"));
  }

  /// Without what protects objects in use, which is kube-controller-manager's.
  void delete(String of) throws Exception {
    cluster.delete(of, token);
    var rest = cluster.get(of, token).at("/metadata/finalizers");
    for (int n = 0; n < rest.size(); n++)
      if (rest.get(n).asText().matches("kubernetes.io/(pvc|pv|vac)-protection"))
        try {
          cluster.patch(of, token, "",
              JSON.readTree("[{\"op\":\"test\",\"path\":\"/metadata/finalizers/%d\",\"value\":%s},{\"op\":\"remove\",\"path\":\"/metadata/finalizers/%d\"}]".formatted(n, rest.get(n), n)));
        } catch (IllegalStateException changed) {
          delete(of); // a sidecar has taken off its own meanwhile
          return;
        }
  }
}
