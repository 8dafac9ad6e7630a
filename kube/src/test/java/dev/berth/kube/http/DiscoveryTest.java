package dev.berth.kube.http;

import static dev.berth.kube.testing.Thing.KIND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Caches;
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
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whether a kind is served, by what stands behind an address: an API server, or something else.
@ExtendWith(Silence.class)
class DiscoveryTest {
  private static final String VERSION = "/apis/test/v1";

  private record Page(int code, String body) {}

  private final Map<String, Page> pages = new ConcurrentHashMap<>();
  private final HttpServer server;
  private final HttpApi api;
  private Page others = new Page(404, "default backend - 404");

  DiscoveryTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            var page = pages.getOrDefault(exchange.getRequestURI().getPath(), others);
            var bytes = page.body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(page.code, bytes.length == 0 ? -1 : bytes.length);
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

  private boolean lacks() {
    return api.lacks(KIND.resource());
  }

  @Test
  void aVersionThatDoesNotNameTheKindLacksIt() {
    pages.put(
        VERSION,
        new Page(200, "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"others\"}]}"));
    assertThat(lacks()).isTrue();
    pages.put(
        VERSION,
        new Page(200, "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"things\"}]}"));
    assertThat(lacks()).isFalse();
  }

  @Test
  void aServerThatDoesNotNameTheGroupLacksIt() {
    var groups = "{\"kind\":\"APIGroupList\",\"groups\":[{\"name\":\"%s\",\"versions\":[%s]}]}";
    var version = "{\"groupVersion\":\"test/%s\"}";
    pages.put("/apis", new Page(200, groups.formatted("apps", "")));
    assertThat(lacks()).isTrue();
    pages.put("/apis", new Page(200, groups.formatted("test", version.formatted("v2"))));
    assertThat(lacks()).isTrue();
    pages.put("/apis", new Page(200, groups.formatted("test", version.formatted("v1"))));
    assertThat(lacks()).isFalse();
  }

  /// Only a server that knows who asks says this.
  @Test
  void whoMayNotSeeItBelievesTheList() {
    pages.put(VERSION, new Page(403, "{\"kind\":\"Status\",\"reason\":\"Forbidden\"}"));
    assertThat(lacks()).isTrue();
    pages.put(VERSION, new Page(403, "go away"));
    assertThatExceptionOfType(ApiException.class).isThrownBy(this::lacks);
  }

  @ParameterizedTest
  @CsvSource({"404, default backend", "404, ''", "200, ''", "200, {}", "200, <html>", "503, {}"})
  void somethingElseSaysNothing(int code, String body) {
    others = new Page(code, body);
    assertThatExceptionOfType(ApiException.class).isThrownBy(this::lacks);
    var time = new VirtualTime(1);
    try (var caches = Caches.of(api, time, List.of(KIND))) {
      caches.start();
      time.advance(Duration.ofMinutes(3));
      assertThat(caches.unfilled()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}",
        "{\"metadata\":{\"resourceVersion\":\"7\"}}",
        "{\"items\":[]}",
        "{\"metadata\":{},\"items\":[]}",
        "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":{}}",
      })
  void anAnswerThatIsNoListIsNone(String body) {
    others = new Page(200, body);
    assertThatExceptionOfType(ApiException.Unreachable.class)
        .isThrownBy(() -> api.list(KIND.resource(), "", Selector.ALL));
  }

  /// As Go writes a list that was never filled.
  @Test
  void aListOfNothingIsEmpty() {
    others = new Page(200, "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":null}");
    assertThat(api.list(KIND.resource(), "", Selector.ALL).items()).isEmpty();
  }
}
