package judge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import differential.Trusting;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/// An API server, as its administrator, who plays users and kube-controller-manager.
final class Cluster {
  /// Where each kind is, by its short name: path of the group and version, plural, whether it has a namespace.
  private record Place(String version, String plural, boolean namespaced) {}

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, Place> PLACES = new LinkedHashMap<>();
  private static final Map<String, String> KINDS = new LinkedHashMap<>();

  static {
    place("pv", "PersistentVolume", "api/v1", "persistentvolumes", false);
    place("pvc", "PersistentVolumeClaim", "api/v1", "persistentvolumeclaims", true);
    place("ns", "Namespace", "api/v1", "namespaces", false);
    place("node", "Node", "api/v1", "nodes", false);
    place("pod", "Pod", "api/v1", "pods", true);
    place("secret", "Secret", "api/v1", "secrets", true);
    place("event", "Event", "api/v1", "events", true);
    place("lease", "Lease", "apis/coordination.k8s.io/v1", "leases", true);
    var storage = "apis/storage.k8s.io/v1";
    place("sc", "StorageClass", storage, "storageclasses", false);
    place("va", "VolumeAttachment", storage, "volumeattachments", false);
    place("csinode", "CSINode", storage, "csinodes", false);
    place("csidriver", "CSIDriver", storage, "csidrivers", false);
    place("vac", "VolumeAttributesClass", storage, "volumeattributesclasses", false);
    place("csisc", "CSIStorageCapacity", storage, "csistoragecapacities", true);
    var snapshots = "apis/snapshot.storage.k8s.io/v1";
    place("vs", "VolumeSnapshot", snapshots, "volumesnapshots", true);
    place("vsc", "VolumeSnapshotContent", snapshots, "volumesnapshotcontents", false);
    place("vsclass", "VolumeSnapshotClass", snapshots, "volumesnapshotclasses", false);
    var groups = "apis/groupsnapshot.storage.k8s.io/v1";
    place("vgs", "VolumeGroupSnapshot", groups, "volumegroupsnapshots", true);
    place("vgsc", "VolumeGroupSnapshotContent", groups, "volumegroupsnapshotcontents", false);
    place("vgsclass", "VolumeGroupSnapshotClass", groups, "volumegroupsnapshotclasses", false);
  }

  private static void place(String word, String kind, String version, String plural, boolean in) {
    PLACES.put(word, new Place(version, plural, in));
    KINDS.put(kind, word);
  }

  private final HttpClient client;
  private final String url;

  Cluster(String url) throws Exception {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
    client = HttpClient.newBuilder().sslContext(context).version(HttpClient.Version.HTTP_2).build();
    this.url = url;
  }

  /// Writes a kubeconfig for a user, whose token is his name.
  void kubeconfig(Path file, String user) throws Exception {
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        current-context: it
        clusters: [{name: it, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
        users: [{name: it, user: {token: %s}}]
        contexts: [{name: it, context: {cluster: it, user: it}}]
        """
            .formatted(url, user));
  }

  /// @return the object as it is then
  /// @throws IllegalStateException if the server refuses it
  ObjectNode create(ObjectNode object) throws Exception {
    var word = word(object);
    var place = PLACES.get(word);
    var body = object.deepCopy();
    body.put("kind", object.path("kind").asText());
    body.put("apiVersion", place.version.replaceFirst("^apis?/", ""));
    var status = body.remove("status");
    var made = must("POST", path(word, object.at("/metadata/namespace").asText(), ""), body, "application/json");
    if (status != null) {
      var patch = JSON.createObjectNode();
      patch.set("status", status);
      var name = made.at("/metadata/name").asText();
      made = must("PATCH", path(word, made.at("/metadata/namespace").asText(), name) + "/status", patch, MERGE);
    }
    return made;
  }

  static String word(JsonNode object) {
    var word = KINDS.get(object.path("kind").asText());
    if (word == null) throw new IllegalArgumentException("no such kind: " + object.path("kind"));
    return word;
  }

  static final String MERGE = "application/merge-patch+json";
  static final String PATCH = "application/json-patch+json";

  /// @param of `kind/name`, `kind` by its short name
  ObjectNode patch(String of, String namespace, String subresource, JsonNode body) throws Exception {
    return must(
        "PATCH", path(of, namespace) + subresource, body, body.isArray() ? PATCH : MERGE);
  }

  void delete(String of, String namespace) throws Exception {
    must("DELETE", path(of, namespace), JSON.createObjectNode(), "application/json");
  }

  /// @return an empty object if there is none
  ObjectNode get(String of, String namespace) throws Exception {
    var answer = send("GET", path(of, namespace), null, "");
    return answer.path("kind").asText().equals("Status") ? JSON.createObjectNode() : answer;
  }

  /// Every object of a kind; of one namespace, if it is not empty.
  JsonNode list(String word, String namespace) throws Exception {
    return send("GET", path(word, namespace, ""), null, "").path("items");
  }

  private static String path(String of, String namespace) {
    var parts = of.split("/", 2);
    return path(parts[0], namespace, parts[1]);
  }

  private static String path(String word, String namespace, String name) {
    var place = PLACES.get(word);
    if (place == null) throw new IllegalArgumentException("no such kind: " + word);
    return "/"
        + place.version
        + (place.namespaced && !namespace.isEmpty() ? "/namespaces/" + namespace : "")
        + "/"
        + place.plural
        + (name.isEmpty() ? "" : "/" + name);
  }

  private ObjectNode must(String method, String path, JsonNode body, String type) throws Exception {
    var answer = send(method, path, body, type);
    if (answer.path("kind").asText().equals("Status") && !answer.path("status").asText().equals("Success"))
      throw new IllegalStateException(
          "%s %s: %s".formatted(method, path, answer.path("message").asText()));
    return answer;
  }

  private ObjectNode send(String method, String path, JsonNode body, String type) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(url + path))
            .timeout(Duration.ofSeconds(30))
            .header("Authorization", "Bearer admin");
    if (body != null) request.header("Content-Type", type);
    request.method(
        method,
        body == null
            ? BodyPublishers.noBody()
            : BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
    var answer = client.send(request.build(), BodyHandlers.ofByteArray()).body();
    return JSON.readTree(answer) instanceof ObjectNode node ? node : JsonNodeFactory.instance.objectNode();
  }
}
