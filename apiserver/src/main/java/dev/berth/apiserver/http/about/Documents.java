package dev.berth.apiserver.http.about;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.ApiServer;
import dev.berth.apiserver.core.state.Kinds;
import dev.berth.apiserver.http.exchange.Accepted;
import dev.berth.apiserver.http.exchange.Exchange;
import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.openapi.OpenApi;
import dev.berth.apiserver.openapi.Swagger;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;

/// Answers what describes the server: discovery, OpenAPI, the version. All but the version changes
/// when a custom kind comes, changes or goes, and is made anew then by the first who asks.
public final class Documents {
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=%s;as=APIGroupDiscoveryList";

  private static final Set<String> AGGREGATED_VERSIONS = Set.of("v2", "v2beta1");
  private static final String SWAGGER_ASKED =
      "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
  private static final String SWAGGER_SENT =
      "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
  private static final int ONE_YEAR = 31_536_000;

  private final ApiServer api;
  private Made made = new Made(Kinds.builtIn());

  public Documents(ApiServer api) {
    this.api = api;
  }

  /// The documents about the kinds of one moment.
  private static final class Made {
    private final Kinds kinds;
    private final Discovery discovery;
    private final Supplier<OpenApi> openApi;
    private final Supplier<Tagged> core;
    private final Supplier<Tagged> groups;
    private final Supplier<byte[]> swaggerJson;
    private final Supplier<byte[]> swagger;

    Made(Kinds kinds) {
      this.kinds = kinds;
      this.discovery = new Discovery(kinds);
      this.openApi = once(() -> new OpenApi(Version.GIT_VERSION, kinds));
      this.core = once(() -> new Tagged(discovery.aggregatedCore()));
      this.groups = once(() -> new Tagged(discovery.aggregatedGroups()));
      this.swaggerJson =
          shared(() -> Exchange.text(new Swagger(Version.GIT_VERSION, kinds).json()));
      this.swagger = shared(() -> new Swagger(Version.GIT_VERSION, kinds).protobuf());
    }
  }

  private synchronized Made made() {
    var kinds = api.kinds();
    if (made.kinds != kinds) made = new Made(kinds);
    return made;
  }

  /// A document and the tag by which a client says that it has it.
  private static final class Tagged {
    private final byte[] json;
    private final String tag;

    Tagged(ObjectNode document) {
      json = Exchange.text(document);
      tag = "\"%08X%08X\"".formatted(Arrays.hashCode(json), json.length);
    }

    /// The versions differ in nothing else.
    byte[] in(String version) {
      if (version.equals("v2")) return json;
      var group = "\"apidiscovery.k8s.io/";
      return new String(json, StandardCharsets.UTF_8)
          .replaceFirst(group + "v2\"", group + version + "\"")
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  /// Made by the first who asks.
  private static <T> Supplier<T> once(Supplier<T> make) {
    return new Supplier<>() {
      private Optional<T> made = Optional.empty();

      @Override
      public synchronized T get() {
        if (made.isEmpty()) made = Optional.of(make.get());
        return made.get();
      }
    };
  }

  /// Made by the first who asks while nobody has it: however many ask at once, there is one.
  private static Supplier<byte[]> shared(Supplier<byte[]> make) {
    return new Supplier<>() {
      private WeakReference<byte @Nullable []> made = new WeakReference<>(null);

      @Override
      public synchronized byte[] get() {
        var held = made.get();
        if (held != null) return held;
        var one = make.get();
        made = new WeakReference<>(one);
        return one;
      }
    };
  }

  public boolean version(Exchange exchange) {
    exchange.json(200, Version.info());
    return true;
  }

  /// `/`.
  public boolean paths(Exchange exchange) {
    var body = JsonNodeFactory.instance.objectNode();
    var paths = body.putArray("paths");
    List.of(
            "/api",
            "/apis",
            "/healthz",
            "/livez",
            "/metrics",
            "/openapi/v2",
            "/openapi/v3",
            "/readyz",
            "/version")
        .forEach(paths::add);
    exchange.json(200, body);
    return true;
  }

  /// Answers with one of the documents of discovery.
  ///
  /// @param segments `[api]`, `[api, v1]`, `[apis]`, `[apis, group]` or `[apis, group, version]`
  /// @return whether there is such a document
  public boolean discovery(Exchange exchange, List<String> segments) {
    if (segments.size() == 1) {
      root(exchange, segments.getFirst().equals("api"));
      return true;
    }
    var document =
        segments.getFirst().equals("api")
            ? resources(segments, "", 1)
            : segments.size() == 2
                ? made().discovery.group(segments.get(1))
                : resources(segments, segments.get(1), 2);
    document.ifPresent(found -> exchange.json(200, found));
    return document.isPresent();
  }

  /// Whether a path leads below a group that is served.
  public boolean serves(List<String> segments) {
    return switch (segments.getFirst()) {
      case "api" -> segments.size() > 2;
      case "apis" -> segments.size() > 3 && made().discovery.has(segments.get(1));
      default -> false;
    };
  }

  private Optional<ObjectNode> resources(List<String> segments, String group, int version) {
    return segments.size() == version + 1
        ? made().discovery.resources(group, segments.get(version))
        : Optional.empty();
  }

  private void root(Exchange exchange, boolean coreGroup) {
    exchange.response().getHeaders().put(HttpHeader.VARY, "Accept");
    var form = aggregated(exchange);
    if (form.isPresent())
      tagged(exchange, coreGroup ? made().core.get() : made().groups.get(), form.get());
    else exchange.json(200, coreGroup ? made().discovery.versions() : made().discovery.groupList());
  }

  /// The newer form that the client prefers to the old one: `v2`, or `v2beta1`, which clients of
  /// before 1.30 know and upstream has left to them alone (API-33).
  private static Optional<String> aggregated(Exchange exchange) {
    for (var entry : Accepted.entries(exchange.headers(HttpHeader.ACCEPT))) {
      if (entry.parameter("as").isEmpty()) return Optional.empty();
      if (entry.type().equals("application/json")
          && entry.parameter("g").equals("apidiscovery.k8s.io")
          && AGGREGATED_VERSIONS.contains(entry.parameter("v"))
          && entry.parameter("as").equals("APIGroupDiscoveryList")
          && entry.parameter("profile").isEmpty()) return Optional.of(entry.parameter("v"));
    }
    return Optional.empty();
  }

  private static void tagged(Exchange exchange, Tagged document, String version) {
    exchange.response().getHeaders().put(HttpHeader.ETAG, document.tag);
    boolean has = exchange.headers(HttpHeader.IF_NONE_MATCH).contains(document.tag);
    exchange.bytes(
        has ? 304 : 200, AGGREGATED.formatted(version), has ? new byte[0] : document.in(version));
  }

  /// Answers with OpenAPI's index or one of its documents.
  ///
  /// @param path below `/openapi/`
  /// @return whether there is such a document
  public boolean openApi(Exchange exchange, String path) {
    if (path.equals("v2")) {
      swagger(exchange);
      return true;
    }
    if (path.equals("v3")) {
      exchange.json(200, made().openApi.get().index());
      return true;
    }
    if (!path.startsWith("v3/")) return false;
    var name = path.substring("v3/".length());
    var document = made().openApi.get().document(name);
    document.ifPresent(found -> openApi(exchange, name, found));
    return document.isPresent();
  }

  /// Made anew if nobody is being sent it, as hardly anybody asks: it takes no memory for long.
  private void swagger(Exchange exchange) {
    for (var entry : Accepted.entries(exchange.headers(HttpHeader.ACCEPT)))
      switch (entry.type()) {
        case "*/*", "application/*", "application/json" -> {
          exchange.bytes(200, "application/json", made().swaggerJson.get());
          return;
        }
        case SWAGGER_ASKED, SWAGGER_SENT -> {
          exchange.bytes(200, SWAGGER_SENT, made().swagger.get());
          return;
        }
        default -> {}
      }
    throw TransportRefusals.notAcceptable(List.of("application/json", SWAGGER_ASKED));
  }

  /// A document that is asked for with its hash never changes; with another hash it has moved.
  private static void openApi(Exchange exchange, String name, OpenApi.Document document) {
    var hash = exchange.query().text("hash");
    var headers = exchange.response().getHeaders();
    if (hash.isEmpty() || hash.equals(document.hash())) {
      if (!hash.isEmpty())
        headers.put(HttpHeader.CACHE_CONTROL, "public, immutable, max-age=" + ONE_YEAR);
      exchange.bytes(200, "application/json", document.json());
      return;
    }
    headers.put(HttpHeader.LOCATION, OpenApi.url(name, document));
    exchange.text(301, "");
  }
}
