package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.berth.apiserver.tls.Credentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;

/// Webhooks over real HTTPS, each under a path of its own.
final class HookServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpsServer server;
  private final Credentials credentials;
  private final Map<String, BiConsumer<JsonNode, ObjectNode>> hooks = new ConcurrentHashMap<>();
  private final List<JsonNode> asked = new CopyOnWriteArrayList<>();

  /// @param names by which its certificate knows it
  HookServer(Path home, String... names) throws IOException {
    credentials = Credentials.in(home, names);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(credentials.serverContext()));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  /// @param hook given the request and the response, which allows it
  void at(String path, BiConsumer<JsonNode, ObjectNode> hook) {
    hooks.put(path, hook);
  }

  static void patch(ObjectNode response, String operations) {
    response
        .put("patchType", "JSONPatch")
        .put(
            "patch",
            Base64.getEncoder().encodeToString(operations.getBytes(StandardCharsets.UTF_8)));
  }

  /// The `request` of each review so far.
  List<JsonNode> asked() {
    return asked;
  }

  int port() {
    return server.getAddress().getPort();
  }

  String url(String path) {
    return "https://localhost:" + port() + path;
  }

  /// Of the authority that signed its certificate.
  String caBundle() {
    return Base64.getEncoder()
        .encodeToString(credentials.rootCertificate().getBytes(StandardCharsets.US_ASCII));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var review = (ObjectNode) JSON.readTree(exchange.getRequestBody().readAllBytes());
      var request = review.path("request");
      asked.add(request);
      var response =
          JSON.createObjectNode().put("uid", request.path("uid").asText()).put("allowed", true);
      var hook = hooks.get(exchange.getRequestURI().getPath());
      if (hook != null) hook.accept(request, response);
      review.remove("request");
      review.set("response", response);
      var body = JSON.writeValueAsBytes(review);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
