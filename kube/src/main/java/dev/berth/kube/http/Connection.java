package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.ApiException.Details;
import dev.berth.kube.api.Caller;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// Requests and watches over one HTTP client.
final class Connection implements AutoCloseable {
  static final String JSON = "application/json";

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /// How often a request is sent again because the server asks for that, as by client-go.
  private static final int PUT_OFF = 10;

  private final HttpClient client;
  private final String server;
  private final Turns turns;
  private final Warned warned;

  Connection(Config config) {
    this(config, Waiting.REAL);
  }

  Connection(Config config, Waiting waiting) {
    config.setRequestRetryBackoffLimit(0); // only our callers know what may be asked twice
    client = client(config);
    server = config.getMasterUrl().replaceAll("/+$", "");
    turns = Turns.of(waiting);
    warned = Warned.intoLog();
  }

  private static HttpClient client(Config config) {
    var factory = new JdkHttpClientFactory();
    return ClientKeys.of(config)
        .map(it -> factory.newBuilder(it.rest()).sslContext(it.keys(), it.trust()).build())
        .orElseGet(() -> factory.newBuilder(config).build());
  }

  private Connection(HttpClient client, String server, Turns turns, Warned warned) {
    this.client = client;
    this.server = server;
    this.turns = turns;
    this.warned = warned;
  }

  URI server() {
    return URI.create(server);
  }

  /// The same client, for somebody whose requests take turns of their own.
  Connection by(Caller caller) {
    return new Connection(client, server, turns.of(caller), warned);
  }

  /// The same client, for somebody who is told what the server warns of.
  Connection telling(Consumer<String> teller) {
    return new Connection(client, server, turns, new Warned(teller));
  }

  @Override
  public void close() {
    client.close();
  }

  /// Asks without a body.
  JsonNode send(String method, String path, Map<String, String> query) {
    return send(request(path, query).method(method, null, null).build());
  }

  /// Asks with a body.
  JsonNode send(String method, String path, String contentType, JsonNode body) {
    var text = body.toString();
    return send(request(path, Map.of()).method(method, contentType, text).build());
  }

  /// Sends it again as long as the server asks for that: it has done nothing then.
  private JsonNode send(HttpRequest request) {
    for (int putOff = 0; ; putOff++) {
      var response = sendOnce(request);
      var body = response.body() == null ? new byte[0] : response.body();
      if (response.isSuccessful()) return Trees.read(body, 0, body.length);
      if (!waits(request, response, putOff)) throw refusal(response.code(), body);
    }
  }

  private HttpResponse<byte[]> sendOnce(HttpRequest request) {
    var kind = request.method().equals("GET") ? Turns.Kind.READ : Turns.Kind.WRITE;
    try (var _ = turns.take(kind)) {
      return await(request, client.sendAsync(request, byte[].class), TIMEOUT);
    } catch (InterruptedException stop) {
      throw interrupted(request, stop);
    }
  }

  /// Waits for as long as the server has too much to do, in its own words. Beyond the time that a
  /// request may take at all, whoever asked decides when to ask again: nobody is to be held up by
  /// it when he is told to stop, or has lost his Lease.
  ///
  /// @return whether to ask again
  private boolean waits(HttpRequest request, HttpResponse<?> refused, int putOff) {
    var asked = retryAfter(refused);
    if (asked.isEmpty() || asked.get().compareTo(TIMEOUT) > 0 || putOff >= PUT_OFF) return false;
    try {
      turns.pass(asked.get());
      return true;
    } catch (InterruptedException stop) {
      throw interrupted(request, stop);
    }
  }

  /// `Retry-After` in seconds, where it means that the same request is welcome later.
  private static Optional<Duration> retryAfter(HttpResponse<?> refused) {
    if (refused.code() != 429 && refused.code() < 500) return Optional.empty();
    return refused.headers("Retry-After").stream()
        .filter(text -> text.matches("[0-9]{1,6}"))
        .findFirst()
        .map(seconds -> Duration.ofSeconds(Integer.parseInt(seconds)));
  }

  /// Opens a watch; returns when the server has accepted it.
  Api.Watch watch(String path, Map<String, String> query, Api.Watcher watcher) {
    var seconds = ThreadLocalRandom.current().nextInt(300, 600);
    query.put("timeoutSeconds", Integer.toString(seconds));
    var request = request(path, query).forStreaming().build();
    for (int putOff = 0; ; putOff++) {
      var stream = new WatchStream(watcher);
      var response = await(request, client.consumeBytes(request, stream), TIMEOUT);
      // A server that vanishes without a word never ends the watch: then we do.
      if (response.isSuccessful())
        return stream.begin(response.body(), Duration.ofSeconds(seconds).plus(TIMEOUT));
      var refusal = refusal(response.code(), stream.rest(response.body(), TIMEOUT));
      if (!waits(request, response, putOff)) throw refusal;
    }
  }

  /// Reads a text as it comes; closing the stream ends it.
  InputStream stream(String path, Map<String, String> query) {
    var request = request(path, query).forStreaming().build();
    var response = await(request, client.sendAsync(request, InputStream.class), TIMEOUT);
    if (response.isSuccessful()) return response.body();
    try (var refused = response.body()) {
      throw refusal(response.code(), refused.readAllBytes());
    } catch (IOException cut) {
      throw unreachable(request, cut);
    }
  }

  private HttpRequest.Builder request(String path, Map<String, String> query) {
    var text =
        query.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + encoded(entry.getValue()))
            .collect(Collectors.joining("&"));
    return client
        .newHttpRequestBuilder()
        .uri(server + path + (text.isEmpty() ? "" : "?" + text))
        .setHeader("Accept", JSON)
        .timeout(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private <T> HttpResponse<T> await(
      HttpRequest request, CompletableFuture<HttpResponse<T>> answer, Duration timeout) {
    try {
      var response = answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
      warned.hear(response.headers("Warning"));
      return response;
    } catch (ExecutionException failed) {
      throw unreachable(request, Objects.requireNonNullElse(failed.getCause(), failed));
    } catch (TimeoutException late) {
      answer.cancel(true);
      throw unreachable(request, new IOException("no answer within " + timeout, late));
    } catch (InterruptedException stop) {
      answer.cancel(true);
      throw interrupted(request, stop);
    }
  }

  private static ApiException interrupted(HttpRequest request, InterruptedException stop) {
    Thread.currentThread().interrupt();
    return unreachable(request, stop);
  }

  private static ApiException unreachable(HttpRequest request, Throwable cause) {
    var why = Unreached.words(cause);
    var what = request.method() + " " + request.uri().getPath();
    return new ApiException.Unreachable(
        "%s of %s: %s".formatted(what, request.uri().getAuthority(), why), cause);
  }

  private static ApiException refusal(int code, byte[] body) {
    try {
      var status = Trees.read(body, 0, body.length);
      if (status.path("kind").asText().equals("Status")) return Trees.refusal(code, status);
    } catch (ApiException noJson) {
      // then it is a proxy's page: its first words have to do
    }
    var words = new String(body, StandardCharsets.UTF_8).strip();
    var cut = words.length() > 200 ? words.substring(0, 200) + "…" : words;
    return ApiException.of(code, "", cut.isEmpty() ? "HTTP status " + code : cut, Details.NONE);
  }
}
