package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class WatchOverHttpTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private static Path home;
  private static RunningServer server;
  private static RestClient client;

  @BeforeAll
  static void start() throws Exception {
    server = RunningServer.in(home);
    client = new RestClient(server, HttpClient.Version.HTTP_2);
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  /// A watch's events as they come, one a line.
  private record Lines(BufferedReader reader) implements AutoCloseable {
    static Lines open(RestClient client, String path, String... headers) throws Exception {
      var response =
          client
              .client()
              .send(client.request(path, headers).GET().build(), BodyHandlers.ofInputStream());
      assertThat(response.statusCode()).isEqualTo(200);
      return new Lines(
          new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
    }

    JsonNode next() throws IOException {
      var line = reader.readLine();
      assertThat(line).as("an event").isNotNull();
      return JSON.readTree(line);
    }

    @Nullable String line() throws IOException {
      return reader.readLine();
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void theHeadComesBeforeTheFirstEvent(HttpClient.Version version) throws Exception { // HTTP-04
    var namespace = namespace(version == HttpClient.Version.HTTP_2 ? "head-two" : "head-one");
    try (var speaker = new RestClient(server, version);
        var watch = Lines.open(speaker, secrets(namespace) + "?watch=1")) {
      create(namespace, "one");
      var event = watch.next();
      assertThat(event.path("type").asText()).isEqualTo("ADDED");
      assertThat(event.at("/object/metadata/name").asText()).isEqualTo("one");
      assertThat(event.at("/object/kind").asText()).isEqualTo("Secret");
    }
  }

  @Test
  void aWatchListShowsWhatThereIsThenSaysSoThenGoesOn() throws Exception {
    var namespace = namespace("list");
    create(namespace, "one");
    create(namespace, "two");
    var path =
        secrets(namespace)
            + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
            + "&allowWatchBookmarks=true";
    try (var watch = Lines.open(client, path)) {
      assertThat(List.of(name(watch.next()), name(watch.next())))
          .containsExactlyInAnyOrder("ADDED one", "ADDED two");
      var end = watch.next();
      assertThat(end.path("type").asText()).isEqualTo("BOOKMARK");
      assertThat(end.at("/object/metadata/annotations/k8s.io~1initial-events-end").asText())
          .isEqualTo("true");
      client.send("DELETE", secrets(namespace) + "/one", "");
      assertThat(name(watch.next())).isEqualTo("DELETED one");
    }
  }

  @Test
  void theOldPathOfAnObjectWatchesThatObject() throws Exception { // API-56
    var namespace = namespace("legacy");
    create(namespace, "a");
    create(namespace, "b");
    try (var watch = Lines.open(client, "/api/v1/watch/namespaces/" + namespace + "/secrets/b")) {
      assertThat(name(watch.next())).isEqualTo("ADDED b");
    }
  }

  @Test
  void itEndsInTimeWithALastBookmark() throws Exception { // API-61
    var namespace = namespace("ends");
    var path = secrets(namespace) + "?watch=1&allowWatchBookmarks=true&timeoutSeconds=3";
    try (var watch = Lines.open(client, path + "&resourceVersion=" + server.api().revision())) {
      assertThat(watch.next().path("type").asText()).isEqualTo("BOOKMARK");
      assertThat(watch.line()).isNull();
    }
  }

  @Test
  void onlyTheFirstRowOfATableHasTheColumns() throws Exception { // API-66
    var namespace = namespace("table");
    try (var watch =
        Lines.open(
            client,
            secrets(namespace) + "?watch=1",
            "Accept",
            "application/json;as=Table;v=v1;g=meta.k8s.io")) {
      create(namespace, "one");
      create(namespace, "two");
      var first = watch.next().path("object");
      var second = watch.next().path("object");
      assertThat(first.path("kind").asText()).isEqualTo("Table");
      assertThat(first.path("columnDefinitions")).hasSize(4);
      assertThat(second.path("columnDefinitions").isNull()).isTrue();
      assertThat(second.at("/rows/0/cells/0").asText()).isEqualTo("two");
      assertThat(second.at("/rows/0/object/kind").asText()).isEqualTo("PartialObjectMetadata");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "application/json;as=Table;v=v1;g=meta.k8s.io, Table, /rows/0/object",
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io, PartialObjectMetadata, ''"
  })
  void theEndOfWhatThereIsIsSaidInTheFormOfTheWatch(String accept, String kind, String place)
      throws Exception { // API-66
    var namespace = namespace("end-" + kind.toLowerCase(Locale.ROOT));
    create(namespace, "one");
    var path =
        secrets(namespace)
            + "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
            + "&allowWatchBookmarks=true";
    try (var watch = Lines.open(client, path, "Accept", accept)) {
      assertThat(watch.next().path("type").asText()).isEqualTo("ADDED");
      var end = watch.next();
      assertThat(end.path("type").asText()).isEqualTo("BOOKMARK");
      assertThat(end.at("/object/kind").asText()).isEqualTo(kind);
      var object = end.at("/object" + place);
      assertThat(object.path("kind").asText()).isEqualTo("PartialObjectMetadata");
      assertThat(object.at("/metadata/annotations/k8s.io~1initial-events-end").asText())
          .isEqualTo("true");
      assertThat(object.at("/metadata/resourceVersion").asText()).isNotEmpty();
    }
    // API-136
    assertThat(client.get("/metrics").text())
        .containsPattern("apiserver_watch_events_total\\{group=\"\",resource=\"secrets\",.*} [1-9]")
        .containsPattern("apiserver_watch_list_duration_seconds_count\\{.*\"secrets\".*} [1-9]");
  }

  @Test
  void aWrongRequestIsRefusedBeforeItBegins() throws Exception {
    var reply = client.get(secrets("default") + "?watch=1&sendInitialEvents=true");
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.text()).contains("sendInitialEvents");
  }

  /// Clients have their 200 by then.
  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void whatFailsInAStreamIsItsLastEvent(HttpClient.Version version) throws Exception { // API-59
    try (var speaker = new RestClient(server, version);
        var watch = Lines.open(speaker, "/api/v1/secrets?watch=1&resourceVersion=1")) {
      var event = watch.next();
      assertThat(event.path("type").asText()).isEqualTo("ERROR");
      assertThat(event.at("/object/kind").asText()).isEqualTo("Status");
      assertThat(event.at("/object/code").asInt()).isEqualTo(410);
      assertThat(event.at("/object/reason").asText()).isEqualTo("Expired");
      assertThat(watch.line()).isNull();
    }
  }

  @Test
  void aClientThatLeavesIsForgotten() throws Exception {
    var namespace = namespace("leaves");
    var speaker = new RestClient(server, HttpClient.Version.HTTP_1_1);
    var watch = Lines.open(speaker, secrets(namespace) + "?watch=1");
    long before = sockets("ESTABLISHED");
    watch.close();
    speaker.close();
    await().atMost(10, TimeUnit.SECONDS).until(() -> sockets("ESTABLISHED") < before);
    assertThat(sockets("CLOSE_WAIT")).isZero();
  }

  @Test
  void aServerThatStopsDoesNotWaitForItsWatches(@TempDir Path another) throws Exception {
    var stopping = RunningServer.in(another);
    try (var speaker = new RestClient(stopping, HttpClient.Version.HTTP_2);
        var watch = Lines.open(speaker, secrets("default") + "?watch=1")) {
      assertTimeoutPreemptively(Duration.ofSeconds(10), stopping::close);
      assertThatThrownBy(watch::next).isInstanceOfAny(IOException.class, AssertionError.class);
    }
  }

  /// Our server's connections in a state, as the kernel counts them.
  private static long sockets(String state) throws IOException {
    var port = ":%04X".formatted(server.url().getPort());
    var code = state.equals("CLOSE_WAIT") ? "08" : "01";
    var lines = new ArrayList<>(Files.readAllLines(Path.of("/proc/self/net/tcp")));
    lines.addAll(Files.readAllLines(Path.of("/proc/self/net/tcp6")));
    return lines.stream()
        .map(line -> line.strip().split("\\s+"))
        .filter(words -> words[1].endsWith(port) && words[3].equals(code))
        .count();
  }

  @Test
  void manyWatchesShareOneConnectionAndAFewThreads() throws Exception { // API-08
    var namespace = namespace("many");
    var watches = new ArrayList<Lines>();
    for (int i = 0; i < 250; i++) watches.add(Lines.open(client, secrets(namespace) + "?watch=1"));
    create(namespace, "one");
    for (var watch : watches) assertThat(name(watch.next())).isEqualTo("ADDED one");
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("http-"))
        .hasSizeLessThanOrEqualTo(8);
    for (var watch : watches) watch.close();
  }

  @Test
  void aSocketCarriesOneEventAFrame() throws Exception { // API-57
    var namespace = namespace("socket");
    create(namespace, "one");
    var frames = new Frames();
    var socket = socket(secrets(namespace) + "?watch=1", frames).join();
    assertThat(name(frames.next())).isEqualTo("ADDED one");
    create(namespace, "two");
    assertThat(name(frames.next())).isEqualTo("ADDED two");
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    assertThat(frames.closed.get(10, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);
  }

  @Test
  void aSocketIsClosedWhenItsTimeIsUp() throws Exception {
    var frames = new Frames();
    socket(secrets(namespace("timely")) + "?watch=1&timeoutSeconds=1", frames).join();
    assertThat(frames.closed.get(10, TimeUnit.SECONDS)).isEqualTo(WebSocket.NORMAL_CLOSURE);
  }

  @Test
  void aHandshakeIsRefusedAsAnyRequest() {
    var path = secrets("default") + "?watch=1&sendInitialEvents=true";
    assertThatThrownBy(() -> socket(path, new Frames()).join())
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOfSatisfying(
            WebSocketHandshakeException.class,
            refused -> assertThat(refused.getResponse().statusCode()).isEqualTo(422));
  }

  private static CompletableFuture<WebSocket> socket(String path, WebSocket.Listener listener)
      throws IOException {
    var url = URI.create("wss" + server.url().resolve(path).toString().substring("https".length()));
    return client
        .client()
        .newWebSocketBuilder()
        .header("Authorization", "Bearer " + server.token())
        .buildAsync(url, listener);
  }

  private static final class Frames implements WebSocket.Listener {
    private final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final StringBuilder partial = new StringBuilder();

    JsonNode next() throws Exception {
      var text = texts.poll(10, TimeUnit.SECONDS);
      assertThat(text).as("a frame").isNotNull();
      return JSON.readTree(text);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      partial.append(data);
      if (last) {
        texts.add(partial.toString());
        partial.setLength(0);
      }
      socket.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
      closed.complete(code);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable cause) {
      closed.completeExceptionally(cause);
    }
  }

  private static String name(JsonNode event) {
    return event.path("type").asText() + " " + event.at("/object/metadata/name").asText();
  }

  private static String secrets(String namespace) {
    return "/api/v1/namespaces/" + namespace + "/secrets";
  }

  private static String namespace(String name) throws Exception {
    var reply =
        client.send("POST", "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + name + "\"}}");
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    return name;
  }

  private static void create(String namespace, String name) throws Exception {
    var reply =
        client.send("POST", secrets(namespace), "{\"metadata\":{\"name\":\"" + name + "\"}}");
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
  }
}
