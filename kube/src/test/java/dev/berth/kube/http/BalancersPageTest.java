package dev.berth.kube.http;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.sun.net.httpserver.HttpServer;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.lease.Election;
import dev.berth.kube.lease.Heartbeat;
import dev.berth.kube.lease.Terms;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.testing.Ended;
import dev.berth.kube.testing.Silence;
import dev.berth.kube.testing.VirtualTime;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// A load balancer that has lost its servers: whatever it is asked, it says that it is not found.
/// Nobody may take anything for gone by that.
@ExtendWith(Silence.class)
class BalancersPageTest {
  private static final ObjectKey LEASE = ObjectKey.of("ns", "lease");

  private final Map<String, String> pages = new ConcurrentHashMap<>(); // that are found
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final VirtualTime time = new VirtualTime(1);
  private final HttpServer server;
  private final HttpApi api;

  BalancersPageTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            asked.add(exchange.getRequestMethod());
            var found = pages.get(exchange.getRequestURI().getPath());
            var body = found == null ? "<html>default backend - 404</html>" : found;
            var bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(found == null ? 404 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
          }
        });
    server.start();
    var url = "http://127.0.0.1:" + server.getAddress().getPort();
    api = new HttpApi(new ConfigBuilder(Config.empty()).withMasterUrl(url).build());
  }

  @AfterEach
  void stop() {
    api.close();
    server.stop(0);
  }

  static final List<Consumer<Api>> QUESTIONS =
      List.of(
          api -> api.get(KIND.resource(), key("a")),
          api -> api.list(KIND.resource(), "", Selector.ALL),
          api -> api.newestVersion(KIND.resource(), "", Selector.ALL),
          api -> api.watch(KIND.resource(), "", Selector.ALL, "1", new Ended()),
          api -> api.create(KIND.resource(), thing("a", "red")),
          api -> api.update(KIND.resource(), thing("a", "red")),
          api -> api.updateStatus(KIND.resource(), thing("a", "red")),
          api -> api.patch(KIND.resource(), key("a"), Patch.merge(thing("a", "red"))),
          api -> api.patchStatus(KIND.resource(), key("a"), Patch.merge(thing("a", "red"))),
          api -> api.delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT),
          api ->
              api.post(KIND.resource(), key("a"), "part", JsonNodeFactory.instance.objectNode()));

  @ParameterizedTest
  @FieldSource("QUESTIONS")
  void nothingIsGone(Consumer<Api> question) {
    assertThatExceptionOfType(ApiException.Unreachable.class)
        .isThrownBy(() -> question.accept(api))
        .withMessageContaining("default backend")
        .matches(failure -> !failure.isNotFound());
  }

  /// Real servers say so of a group that they do not know, with a page, too.
  @ParameterizedTest
  @FieldSource("QUESTIONS")
  void aKindThatTheServerDoesNotNameIsNotThere(Consumer<Api> question) {
    pages.put("/apis", "{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"apps\"}]}");
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> question.accept(api))
        .withMessage("the server could not find the requested resource")
        .matches(ApiException::isNotFound);
  }

  @Test
  void noLeaseIsMadeForOneThatCannotBeSeen() {
    var heartbeat = new Heartbeat(api, LEASE, "n", Duration.ofSeconds(40), time);
    heartbeat.start();
    var election = new Election(api, LEASE, "a", Map.of(), Terms.SIDECAR, time, _ -> {}, () -> {});
    election.start();
    time.advance(Duration.ofSeconds(30));
    assertThat(asked).contains("GET", "PATCH").doesNotContain("POST", "PUT");
    assertThat(election.leads()).isFalse();
    assertThat(election.vacancy().orElseThrow()).contains("default backend");
    heartbeat.close();
    election.release();
  }
}
