package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Caller;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.kube.value.Json;
import io.fabric8.kubernetes.client.Config;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An API server, asked over HTTPS.
public final class HttpApi implements Api, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpApi.class);

  private final Connection connection;
  private final Served served;
  private final Optional<String> namespace;

  /// Asks the server that `config` names, as whom it names.
  public HttpApi(Config config) {
    this(Given.fixed(config), Limits.DEFAULT);
  }

  /// @param patience how long the server may say nothing to a request, or in the midst of an answer
  public HttpApi(Config config, Duration patience) {
    this(Given.fixed(config), new Limits(patience, patience.multipliedBy(6)));
  }

  private HttpApi(Given given, Limits limits) {
    this(
        new Connection(given, Waiting.REAL, limits, Identity.Pace.DEFAULT),
        Optional.ofNullable(given.config().getNamespace()).filter(name -> !name.isEmpty()));
  }

  HttpApi(Connection connection) {
    this(connection, Optional.empty());
  }

  private HttpApi(Connection connection, Optional<String> namespace) {
    this.connection = connection;
    this.served = new Served(connection);
    this.namespace = namespace;
  }

  /// The namespace that whoever asks is at home in: of his context, or of his pod.
  public Optional<String> namespace() {
    return namespace;
  }

  /// Asks the cluster of a context of a kubeconfig file, as the user of that context; empty: of its
  /// current context.
  ///
  /// @throws IllegalArgumentException if the file is none, or has no such context; of what is in it
  ///   only the names of contexts are told
  public static HttpApi of(Path kubeconfig, Optional<String> context) {
    return new HttpApi(Kubeconfigs.read(kubeconfig, context), Limits.DEFAULT);
  }

  /// Asks the server at a URL, as whom the kubeconfig names; without one, as nobody.
  ///
  /// @throws IllegalArgumentException if there is a file, and it is no kubeconfig
  public static HttpApi at(String master, Optional<Path> kubeconfig) {
    var given =
        kubeconfig
            .map(file -> Kubeconfigs.read(file, Optional.empty()))
            .orElseGet(() -> Given.fixed(Config.empty()).proxied(System::getenv));
    return new HttpApi(given.at(master), Limits.DEFAULT);
  }

  /// Asks the cluster that the surroundings name: `KUBECONFIG`, `~/.kube/config`, or the service
  /// account of the pod that this runs in.
  ///
  /// @throws NoCluster if none of them is there
  /// @throws IllegalArgumentException if one is there, and names no cluster
  public static HttpApi ofSurroundings() {
    return ofSurroundings(Optional.empty());
  }

  /// Likewise, of a context of the kubeconfig that they name.
  ///
  /// @throws IllegalArgumentException also if there is no such context
  public static HttpApi ofSurroundings(Optional<String> context) {
    return new HttpApi(Kubeconfigs.ofSurroundings(context), Limits.DEFAULT);
  }

  /// Where the server is.
  public URI server() {
    return connection.server();
  }

  /// What the server's clock says, within a second or two: what stands in its objects is of that
  /// time, and ours may be wrong. A server that says no date is taken to be right with ours.
  public Instant now() {
    if (!connection.clock().isKnown()) {
      try {
        connection.send("GET", "/version", Map.of());
      } catch (ApiException unknown) {
        log.debug("the server's time is not known", unknown);
      }
    }
    return connection.clock().at(SystemTime.clock());
  }

  @Override
  public void close() {
    connection.close();
  }

  /// Over the same connection, which is closed with this one.
  @Override
  public Api by(Caller caller) {
    return new HttpApi(connection.by(caller), namespace);
  }

  /// Over the same connection, which is closed with this one; what the server warns of goes to
  /// `teller`, each text once (API-21). By default it goes into the log.
  public HttpApi telling(Consumer<String> teller) {
    return new HttpApi(connection.telling(teller), namespace);
  }

  @Override
  public ObjectNode get(Resource resource, ObjectKey key) {
    return object(served.get(resource, resource.path(key), Map.of()));
  }

  @Override
  public Listing list(Resource resource, String namespace, Selector selector) {
    var all = list(resource, namespace, selector, Function.identity());
    return new Listing(all.resourceVersion(), all.items());
  }

  @Override
  public <T> Listed<T> list(
      Resource resource, String namespace, Selector selector, Function<ObjectNode, T> read) {
    return new Lists(served).all(resource, namespace, selector, read);
  }

  @Override
  public Optional<String> newestVersion(Resource resource, String namespace, Selector selector) {
    return new Lists(served).newestVersion(resource, namespace, selector);
  }

  @Override
  public boolean lacks(Resource resource) {
    return new Discovery(connection).lacks(resource);
  }

  @Override
  public Watch watch(
      Resource resource,
      String namespace,
      Selector selector,
      String resourceVersion,
      Watcher watcher) {
    var query = Lists.query(selector);
    query.put("watch", "true");
    query.put("allowWatchBookmarks", "true");
    query.put("resourceVersion", resourceVersion);
    return served.watch(resource, resource.path(namespace), query, watcher);
  }

  @Override
  public ObjectNode create(Resource resource, ObjectNode object) {
    var namespace = Json.text(object.path("metadata"), "namespace");
    return object(served.send(resource, "POST", resource.path(namespace), Requests.JSON, object));
  }

  @Override
  public ObjectNode update(Resource resource, ObjectNode object) {
    var path = resource.path(Meta.of(object).key());
    return object(served.send(resource, "PUT", path, Requests.JSON, object));
  }

  @Override
  public ObjectNode updateStatus(Resource resource, ObjectNode object) {
    var path = resource.path(Meta.of(object).key()) + "/status";
    return object(served.send(resource, "PUT", path, Requests.JSON, object));
  }

  @Override
  public ObjectNode patch(Resource resource, ObjectKey key, Patch patch) {
    return patch(resource, resource.path(key), patch);
  }

  @Override
  public ObjectNode patchStatus(Resource resource, ObjectKey key, Patch patch) {
    return patch(resource, resource.path(key) + "/status", patch);
  }

  private ObjectNode patch(Resource resource, String path, Patch patch) {
    try {
      return object(served.send(resource, "PATCH", path, patch.type().contentType(), patch.body()));
    } catch (ApiException refused) {
      throw patch.refused(refused);
    }
  }

  @Override
  public Deleted delete(Resource resource, ObjectKey key, DeleteOptions options) {
    var body = Deletions.body(options);
    var path = resource.path(key);
    return Deletions.read(key, object(served.send(resource, "DELETE", path, Requests.JSON, body)));
  }

  @Override
  public JsonNode post(Resource resource, ObjectKey key, String subresource, ObjectNode body) {
    var path = resource.path(key) + "/" + subresource;
    return served.send(resource, "POST", path, Requests.JSON, body);
  }

  /// What a container has written since it last started: `pods/log`.
  ///
  /// @param container empty: the pod's only one
  /// @param follow whether to go on as it writes, until it ends
  /// @return the lines in UTF-8; a read blocks while there is nothing new; to be closed
  /// @throws ApiException if there is no such container
  public InputStream log(ObjectKey pod, String container, boolean follow, OptionalLong tailLines) {
    var query = new TreeMap<String, String>();
    if (!container.isEmpty()) query.put("container", container);
    if (follow) query.put("follow", "true");
    tailLines.ifPresent(lines -> query.put("tailLines", Long.toString(lines)));
    return connection.stream(Resources.PODS.path(pod) + "/log", query);
  }

  /// What the server answers at a path that is no object's; to be closed.
  public InputStream read(String path) {
    return connection.stream(path, Map.of());
  }

  private static ObjectNode object(JsonNode answer) {
    if (answer instanceof ObjectNode object) return object;
    throw new ApiException(0, "", "the server answered " + answer.getNodeType() + ", no object");
  }
}
