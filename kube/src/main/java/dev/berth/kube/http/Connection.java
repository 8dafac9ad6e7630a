package dev.berth.kube.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.ApiException.Details;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/// Requests and watches over one HTTP client.
final class Connection implements AutoCloseable {
  static final String JSON = "application/json";

  /// The JDK's HTTP/2 client fails requests beyond the server's stream limit at once (K8S-04).
  private static final int IN_FLIGHT = 64;

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final HttpClient client;
  private final String server;
  private final Semaphore inFlight = new Semaphore(IN_FLIGHT, true);

  Connection(Config config) {
    config.setRequestRetryBackoffLimit(0); // only our callers know what may be asked twice
    client = new JdkHttpClientFactory().newBuilder(config).build();
    server = config.getMasterUrl().replaceAll("/+$", "");
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

  private JsonNode send(HttpRequest request) {
    try {
      inFlight.acquire();
    } catch (InterruptedException stop) {
      throw interrupted(request, stop);
    }
    try {
      var response = await(request, client.sendAsync(request, byte[].class), TIMEOUT);
      var body = response.body() == null ? new byte[0] : response.body();
      if (!response.isSuccessful()) throw refusal(response.code(), body);
      return Trees.read(body, 0, body.length);
    } finally {
      inFlight.release();
    }
  }

  /// Opens a watch; returns when the server has accepted it.
  Api.Watch watch(String path, Map<String, String> query, Api.Watcher watcher) {
    var seconds = ThreadLocalRandom.current().nextInt(300, 600);
    query.put("timeoutSeconds", Integer.toString(seconds));
    var request = request(path, query).forStreaming().build();
    var stream = new WatchStream(watcher);
    var opening = client.consumeBytes(request, stream);
    var response = await(request, opening, TIMEOUT);
    if (!response.isSuccessful())
      throw refusal(response.code(), stream.rest(response.body(), TIMEOUT));
    // A server that vanishes without a word never ends the watch: then we do.
    return stream.begin(response.body(), Duration.ofSeconds(seconds).plus(TIMEOUT));
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

  private static <T> HttpResponse<T> await(
      HttpRequest request, CompletableFuture<HttpResponse<T>> answer, Duration timeout) {
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
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
    var why = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
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
