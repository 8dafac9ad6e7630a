package dev.berth.kube.http;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.key;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a server hears of a user who acts as somebody else.
@Timeout(60)
class ImpersonationTest {
  @TempDir private Path folder;

  /// A key may be anything; in a header's name it is written as client-go writes it.
  @Test
  void theServerHearsAsWhom() throws Exception {
    var heard = new CompletableFuture<Map<String, List<String>>>();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            heard.complete(Map.copyOf(exchange.getRequestHeaders()));
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
          }
        });
    server.start();
    var text =
        """
        current-context: it
        clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
        contexts: [{name: it, context: {cluster: c, user: u}}]
        users:
        - name: u
          user:
            token: t
            as: jane
            as-uid: "7"
            as-groups: [web, ops]
            as-user-extra:
              scopes: [a, b]
              acme.com/project: [x]
              "50%% é~": [y]
        """
            .formatted(server.getAddress().getPort());
    var file = Files.writeString(folder.resolve("kubeconfig"), text);
    try (var api = HttpApi.of(file, Optional.empty())) {
      api.get(KIND.resource(), key("a"));
    } finally {
      server.stop(0);
    }
    var names = new TreeMap<String, List<String>>(String.CASE_INSENSITIVE_ORDER);
    names.putAll(heard.join());
    names.keySet().removeIf(name -> !name.regionMatches(true, 0, "Impersonate-", 0, 12));
    assertThat(names)
        .containsOnlyKeys(
            "Impersonate-User",
            "Impersonate-Uid",
            "Impersonate-Group",
            "Impersonate-Extra-scopes",
            "Impersonate-Extra-acme.com%2Fproject",
            "Impersonate-Extra-50%25%20%C3%A9~")
        .containsEntry("Impersonate-User", List.of("jane"))
        .containsEntry("Impersonate-Uid", List.of("7"))
        .containsEntry("Impersonate-Extra-acme.com%2Fproject", List.of("x"))
        .containsEntry("Impersonate-Extra-50%25%20%C3%A9~", List.of("y"));
    assertThat(names.get("Impersonate-Group")).containsExactlyInAnyOrder("web", "ops");
    assertThat(names.get("Impersonate-Extra-scopes")).containsExactlyInAnyOrder("a", "b");
  }
}
