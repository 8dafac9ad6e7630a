package dev.berth.kube.http;

import static dev.berth.kube.testing.Thing.KIND;
import static dev.berth.kube.testing.Thing.color;
import static dev.berth.kube.testing.Thing.key;
import static dev.berth.kube.testing.Thing.thing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.object.Meta;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Against a server that says what the test tells it to say.
class HttpApiTest {
  private final ArrayDeque<Answer> answers = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();
  private final HttpServer server;
  private final HttpApi api;

  private record Answer(int code, String body, List<String> warnings) {
    Answer(int code, String body) {
      this(code, body, List.of());
    }
  }

  HttpApiTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    api = new HttpApi(config());
  }

  private Config config() {
    return new ConfigBuilder(Config.empty())
        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
        .build();
  }

  @BeforeEach
  void start() {
    server.start();
  }

  @AfterEach
  void stop() {
    api.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Answer answer;
      synchronized (this) {
        var type = exchange.getRequestHeaders().getFirst("Content-Type");
        asked.add(
            exchange.getRequestMethod()
                + " "
                + exchange.getRequestURI()
                + (body.isEmpty() ? "" : " " + type + " " + body));
        answer = answers.removeFirst();
      }
      var bytes = answer.body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      for (var warning : answer.warnings) exchange.getResponseHeaders().add("Warning", warning);
      exchange.sendResponseHeaders(answer.code, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private void says(int code, String body) {
    answers.add(new Answer(code, body));
  }

  @Test
  void whatTheServerWarnsOfIsToldOnceEach() { // API-21
    var told = new ArrayList<String>();
    var warned =
        List.of(
            "299 - \"unknown field \\\"spec.foo\\\"\"",
            "299 - \"one, more\" \"Tue, 15 Nov 1994 08:12:31 GMT\", 299 x \"two\"",
            "110 cache \"stale\"",
            "299 - no quotes");
    answers.add(new Answer(200, "{}", warned));
    answers.add(new Answer(404, "{}", List.of("299 - \"one, more\"", "299 - \"also refused\"")));
    var telling = api.telling(told::add);
    telling.get(KIND.resource(), key("a"));
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> telling.get(KIND.resource(), key("a")));
    assertThat(told)
        .containsExactly("unknown field \"spec.foo\"", "one, more", "two", "also refused");
  }

  @Test
  void theNewestVersionIsAskedForWithOneObject() {
    answers.add(new Answer(200, "{\"metadata\":{\"resourceVersion\":\"42\"},\"items\":[]}"));
    assertThat(api.newestVersion(KIND.resource(), "ns", Selector.fields("metadata.name=a")))
        .contains("42");
    assertThat(asked)
        .containsExactly(
            "GET /apis/test/v1/namespaces/ns/things?fieldSelector=metadata.name%3Da&limit=1");
  }

  @Test
  void asksAsTheApiWantsIt() {
    for (int i = 0; i < 7; i++) says(200, thing("a", "red").toString());
    api.get(KIND.resource(), key("a"));
    api.create(KIND.resource(), thing("a", "red"));
    api.update(KIND.resource(), thing("a", "red"));
    api.updateStatus(KIND.resource(), thing("a", "red"));
    api.patch(KIND.resource(), key("a"), Patch.merge(color("blue")));
    api.patchStatus(KIND.resource(), key("a"), Patch.strategic(color("blue")));
    api.delete(KIND.resource(), key("a"), DeleteOptions.uid("u-1").gracePeriodSeconds(0));
    var tree =
        "application/json {\"color\":\"red\",\"metadata\":{\"namespace\":\"ns\",\"name\":\"a\"}}";
    assertThat(asked)
        .containsExactly(
            "GET /apis/test/v1/namespaces/ns/things/a",
            "POST /apis/test/v1/namespaces/ns/things " + tree,
            "PUT /apis/test/v1/namespaces/ns/things/a " + tree,
            "PUT /apis/test/v1/namespaces/ns/things/a/status " + tree,
            "PATCH /apis/test/v1/namespaces/ns/things/a application/merge-patch+json"
                + " {\"color\":\"blue\"}",
            "PATCH /apis/test/v1/namespaces/ns/things/a/status"
                + " application/strategic-merge-patch+json {\"color\":\"blue\"}",
            "DELETE /apis/test/v1/namespaces/ns/things/a application/json"
                + " {\"apiVersion\":\"v1\",\"kind\":\"DeleteOptions\",\"gracePeriodSeconds\":0,"
                + "\"preconditions\":{\"uid\":\"u-1\"}}");
  }

  /// YAML, and no JSON, though it begins as JSON does.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{clusters: [{name: c, cluster: {server: 'URL'}}], users: [{name: u, user: {token: t}}],"
            + " contexts: [{name: x, context: {cluster: c, user: u}}], current-context: x}",
        "clusters: [{name: c, cluster: {server: 'URL'}}]\nusers: [{name: u, user: {token: t}}]\n"
            + "contexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x"
      })
  void aKubeconfigMayStandInOneLine(String text, @TempDir Path folder) throws Exception {
    var file = folder.resolve("kubeconfig");
    var url = "http://127.0.0.1:" + server.getAddress().getPort();
    Files.writeString(file, text.replace("URL", url));
    says(200, "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}");
    try (var named = HttpApi.of(file, Optional.empty())) {
      assertThat(named.list(KIND.resource(), "", Selector.ALL).items()).isEmpty();
    }
  }

  @Test
  void aListIsReadPageByPage() {
    says(200, "{\"metadata\":{\"continue\":\"more\"},\"items\":[" + thing("a", "red") + "]}");
    says(200, "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[" + thing("b", "red") + "]}");
    var listing = api.list(KIND.resource(), "", Selector.fields("a=b,c!=d"));
    assertThat(listing.items()).extracting(it -> Meta.of(it).name()).containsExactly("a", "b");
    assertThat(listing.resourceVersion()).isEqualTo("7");
    assertThat(listing.items().getFirst().path("kind").asText()).isEqualTo("Thing");
    assertThat(asked)
        .containsExactly(
            "GET /apis/test/v1/things?fieldSelector=a%3Db%2Cc%21%3Dd&limit=500",
            "GET /apis/test/v1/things?continue=more&fieldSelector=a%3Db%2Cc%21%3Dd&limit=500");
  }

  @Test
  void eachPageIsReadBeforeTheNextIsAskedFor() { // ONE-14
    says(200, "{\"metadata\":{\"continue\":\"more\"},\"items\":[" + thing("a", "red") + "]}");
    says(200, "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[" + thing("b", "red") + "]}");
    var requests = new ArrayList<Integer>();
    var listed =
        api.list(
            KIND.resource(),
            "",
            Selector.ALL,
            object -> {
              requests.add(asked.size());
              return Meta.of(object).name();
            });
    assertThat(listed).isEqualTo(new Api.Listed<>("7", List.of("a", "b")));
    assertThat(requests).containsExactly(1, 2);
  }

  @Test
  void aListWhosePagesExpireIsReadAtOnce() {
    says(200, "{\"metadata\":{\"continue\":\"more\"},\"items\":[" + thing("a", "red") + "]}");
    says(410, "{\"kind\":\"Status\",\"reason\":\"Expired\",\"message\":\"too old\"}");
    says(200, "{\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[" + thing("b", "red") + "]}");
    var listing = api.list(KIND.resource(), "", Selector.ALL);
    assertThat(listing.items()).extracting(it -> Meta.of(it).name()).containsExactly("b");
    assertThat(asked)
        .containsExactly(
            "GET /apis/test/v1/things?limit=500",
            "GET /apis/test/v1/things?continue=more&limit=500",
            "GET /apis/test/v1/things");
  }

  @Test
  void aRefusalHasTheServersOwnWords() {
    says(409, "{\"kind\":\"Status\",\"reason\":\"AlreadyExists\",\"message\":\"things a exists\"}");
    assertThatExceptionOfType(ApiException.LostRace.class)
        .isThrownBy(() -> api.create(KIND.resource(), thing("a", "red")))
        .withMessage("things a exists")
        .matches(ApiException.LostRace::nameTaken);
    says(502, "<html>bad gateway</html>");
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> api.get(KIND.resource(), key("a")))
        .withMessage("<html>bad gateway</html>");
    assertThat(asked).as("nothing is repeated").hasSize(2);
  }

  @Test
  void nobodyThereIsUnreachable() {
    server.stop(0);
    assertThatExceptionOfType(ApiException.Unreachable.class)
        .isThrownBy(() -> api.get(KIND.resource(), key("a")))
        .withMessageStartingWith("GET /apis/test/v1/namespaces/ns/things/a of 127.0.0.1:");
  }

  @Test
  void aDeletionTellsWhetherTheObjectIsGone() {
    says(200, "{\"kind\":\"Status\",\"status\":\"Success\",\"details\":{\"uid\":\"u-1\"}}");
    var status = api.delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT);
    assertThat(status.gone()).isTrue();
    assertThat(Meta.of(status.object()).uid()).isEqualTo("u-1");
    var held = thing("a", "red");
    held.withObject("metadata").put("deletionTimestamp", "2026-01-01T00:00:00Z");
    held.withObject("metadata").putArray("finalizers").add("test/held");
    says(200, held.toString());
    assertThat(api.delete(KIND.resource(), key("a"), DeleteOptions.DEFAULT).gone()).isFalse();
  }

  private static class Seen implements Api.Watcher {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();

    @Override
    public void added(ObjectNode object) {
      events.add("added " + Meta.of(object).name());
    }

    @Override
    public void modified(ObjectNode object) {
      events.add("modified " + Meta.of(object).name());
    }

    @Override
    public void deleted(ObjectNode object) {
      events.add("deleted " + Meta.of(object).name());
    }

    @Override
    public void bookmark(String resourceVersion) {
      events.add("bookmark " + resourceVersion);
    }

    @Override
    public void closed(boolean resumable) {
      events.add(resumable ? "closed" : "expired");
    }

    String next() throws InterruptedException {
      var event = events.poll(10, TimeUnit.SECONDS);
      return event == null ? "nothing within 10 s" : event;
    }
  }

  @Test
  void aWatchShowsEachLineAsItComes() throws Exception {
    var goOn = new CountDownLatch(1);
    server.createContext(
        "/apis/test/v1/things",
        exchange -> {
          try (exchange) {
            exchange.sendResponseHeaders(200, 0);
            var out = exchange.getResponseBody();
            var line = "{\"type\":\"ADDED\",\"object\":" + thing("ä", "red") + "}\n";
            var bytes = line.getBytes(StandardCharsets.UTF_8);
            out.write(bytes, 0, 50); // a line that comes in two parts
            out.flush();
            goOn.await();
            out.write(bytes, 50, bytes.length - 50);
            out.write(
                "{\"type\":\"BOOKMARK\",\"object\":{\"metadata\":{\"resourceVersion\":\"9\"}}}\n"
                    .getBytes(StandardCharsets.UTF_8));
            out.flush();
          } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
          }
        });
    var seen = new Seen();
    var watch = api.watch(KIND.resource(), "", Selector.ALL, "5", seen);
    goOn.countDown();
    assertThat(seen.next()).isEqualTo("added ä");
    assertThat(seen.next()).isEqualTo("bookmark 9");
    assertThat(seen.next()).isEqualTo("closed");
    watch.close();
    assertThat(seen.events).isEmpty();
  }

  /// Asked for again at the same place it would come again for ever.
  @ParameterizedTest
  @ValueSource(strings = {"{\"type\":\"ADDED\",", "[]", "{\"type\":\"ADDED\"}", "{\"object\":{}}"})
  void anEventThatSaysNothingOfAnObjectIsPassedByWithAList(String event) throws Exception {
    says(200, event + "\n");
    var seen = new Seen();
    api.watch(KIND.resource(), "", Selector.ALL, "5", seen);
    assertThat(seen.next()).isEqualTo("expired");
  }

  @Test
  void aWatcherThatFailsSeesTheNextEvent() throws Exception {
    var event = "{\"type\":\"MODIFIED\",\"object\":%s}\n".formatted(thing("a", "red"));
    says(200, event + event.replace("MODIFIED", "ADDED"));
    var seen =
        new Seen() {
          @Override
          public void modified(ObjectNode object) {
            throw new AssertionError("broken");
          }
        };
    api.watch(KIND.resource(), "", Selector.ALL, "5", seen);
    assertThat(seen.next()).isEqualTo("added a");
    assertThat(seen.next()).isEqualTo("closed");
  }

  @Test
  void aWatchThatCannotBeResumedSaysSo() throws Exception {
    says(410, "{\"kind\":\"Status\",\"reason\":\"Expired\",\"message\":\"too old\"}");
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> api.watch(KIND.resource(), "", Selector.ALL, "5", new Seen()))
        .matches(ApiException::isExpired);
    says(200, "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410}}\n");
    var seen = new Seen();
    api.watch(KIND.resource(), "", Selector.ALL, "5", seen);
    assertThat(seen.next()).isEqualTo("expired");
  }

  @Test
  void noMoreThan64RequestsAreInFlight() throws Exception { // K8S-04
    var inFlight = new AtomicInteger();
    var answer = new CountDownLatch(1);
    server.createContext(
        "/apis/test/v1/namespaces/ns/things/slow",
        exchange -> {
          try (exchange) {
            inFlight.incrementAndGet();
            answer.await();
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
          } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
          }
        });
    var callers = new ArrayList<Thread>();
    for (int i = 0; i < 200; i++)
      callers.add(Thread.ofVirtual().start(() -> api.get(KIND.resource(), key("slow"))));
    // Who waits for an answer waits for a time, who waits to ask waits without.
    await()
        .untilAsserted(() -> {
          assertThat(inFlight).hasValue(64);
          assertThat(callers.stream().filter(it -> it.getState() == Thread.State.WAITING))
              .hasSize(200 - 64);
        });
    answer.countDown();
    for (var caller : callers) caller.join();
    assertThat(inFlight).hasValue(200);
  }
}
