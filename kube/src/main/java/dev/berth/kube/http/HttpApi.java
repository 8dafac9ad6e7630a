package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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
import dev.berth.kube.value.Json;
import io.fabric8.kubernetes.client.Config;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// An API server, asked over HTTPS.
public final class HttpApi implements Api, AutoCloseable {
  /// Objects in one answer to a list; the rest is asked for page by page.
  private static final int PAGE = 500;

  private final Connection connection;
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
            .orElseGet(() -> Given.fixed(Config.empty()));
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
    return object(connection.send("GET", resource.path(key), Map.of()));
  }

  @Override
  public Listing list(Resource resource, String namespace, Selector selector) {
    var all = list(resource, namespace, selector, Function.identity());
    return new Listing(all.resourceVersion(), all.items());
  }

  @Override
  public <T> Listed<T> list(
      Resource resource, String namespace, Selector selector, Function<ObjectNode, T> read) {
    var items = new ArrayList<T>();
    var next = "";
    boolean inPages = true;
    while (true) {
      var query = query(selector);
      if (inPages) query.put("limit", Integer.toString(PAGE));
      if (!next.isEmpty()) query.put("continue", next);
      JsonNode page;
      try {
        page = connection.send("GET", resource.path(namespace), query);
      } catch (ApiException refused) {
        if (!refused.isExpired() || next.isEmpty()) throw refused;
        items.clear(); // it took too long, and would again: all at once, as client-go does
        next = "";
        inPages = false;
        continue;
      }
      for (var item : Discovery.items(resource.path(namespace), page))
        items.add(read.apply(typed(resource, item)));
      next = Json.text(page.path("metadata"), "continue");
      if (next.isEmpty())
        return new Listed<>(Json.text(page.path("metadata"), "resourceVersion"), items);
    }
  }

  @Override
  public Optional<String> newestVersion(Resource resource, String namespace, Selector selector) {
    var query = query(selector);
    query.put("limit", "1");
    var first = connection.send("GET", resource.path(namespace), query);
    return Json.optionalText(first.path("metadata"), "resourceVersion");
  }

  @Override
  public boolean lacks(Resource resource) {
    return new Discovery(connection).lacks(resource);
  }

  /// Servers leave apiVersion and kind out of the items of a list.
  private static ObjectNode typed(Resource resource, JsonNode item) {
    var object = (ObjectNode) item;
    if (!object.has("kind"))
      object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    return object;
  }

  @Override
  public Watch watch(
      Resource resource,
      String namespace,
      Selector selector,
      String resourceVersion,
      Watcher watcher) {
    var query = query(selector);
    query.put("watch", "true");
    query.put("allowWatchBookmarks", "true");
    query.put("resourceVersion", resourceVersion);
    return connection.watch(resource.path(namespace), query, watcher);
  }

  @Override
  public ObjectNode create(Resource resource, ObjectNode object) {
    var namespace = Json.text(object.path("metadata"), "namespace");
    return object(connection.send("POST", resource.path(namespace), Requests.JSON, object));
  }

  @Override
  public ObjectNode update(Resource resource, ObjectNode object) {
    return put(resource.path(Meta.of(object).key()), object);
  }

  @Override
  public ObjectNode updateStatus(Resource resource, ObjectNode object) {
    return put(resource.path(Meta.of(object).key()) + "/status", object);
  }

  private ObjectNode put(String path, ObjectNode object) {
    return object(connection.send("PUT", path, Requests.JSON, object));
  }

  @Override
  public ObjectNode patch(Resource resource, ObjectKey key, Patch patch) {
    return patch(resource.path(key), patch);
  }

  @Override
  public ObjectNode patchStatus(Resource resource, ObjectKey key, Patch patch) {
    return patch(resource.path(key) + "/status", patch);
  }

  private ObjectNode patch(String path, Patch patch) {
    try {
      return object(connection.send("PATCH", path, patch.type().contentType(), patch.body()));
    } catch (ApiException refused) {
      throw patch.refused(refused);
    }
  }

  @Override
  public Deleted delete(Resource resource, ObjectKey key, DeleteOptions options) {
    var body = JsonNodeFactory.instance.objectNode();
    body.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.gracePeriodSeconds().ifPresent(it -> body.put("gracePeriodSeconds", it));
    options.propagation().ifPresent(it -> body.put("propagationPolicy", it));
    options.uid().ifPresent(it -> body.withObject("preconditions").put("uid", it));
    options
        .resourceVersion()
        .ifPresent(it -> body.withObject("preconditions").put("resourceVersion", it));
    var answer = object(connection.send("DELETE", resource.path(key), Requests.JSON, body));
    if (Json.text(answer, "kind").equals("Status")) return new Deleted(gone(key, answer), true);
    return new Deleted(answer, !isHeld(answer));
  }

  /// Some kinds answer a deletion with a Status that names the object only.
  private static ObjectNode gone(ObjectKey key, ObjectNode status) {
    var object = JsonNodeFactory.instance.objectNode();
    object
        .putObject("metadata")
        .put("namespace", key.namespace())
        .put("name", key.name())
        .put("uid", Json.text(status.path("details"), "uid"));
    return object;
  }

  private static boolean isHeld(ObjectNode object) {
    var meta = Meta.of(object);
    var grace = object.path("metadata").path("deletionGracePeriodSeconds").asLong(0);
    return !meta.finalizers().isEmpty() || (meta.deleting() && grace > 0);
  }

  @Override
  public JsonNode post(Resource resource, ObjectKey key, String subresource, ObjectNode body) {
    return connection.send("POST", resource.path(key) + "/" + subresource, Requests.JSON, body);
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

  private static Map<String, String> query(Selector selector) {
    var query = new TreeMap<String, String>();
    if (!selector.labels().isEmpty()) query.put("labelSelector", selector.labels());
    if (!selector.fields().isEmpty()) query.put("fieldSelector", selector.fields());
    return query;
  }

  private static ObjectNode object(JsonNode answer) {
    if (answer instanceof ObjectNode object) return object;
    throw new ApiException(0, "", "the server answered " + answer.getNodeType() + ", no object");
  }
}
