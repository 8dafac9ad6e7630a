package dev.berth.apiserver.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/// Speaks to a server as its administrator.
final class RestClient implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client;
  private final URI url;
  private final String token;

  RestClient(RunningServer server, HttpClient.Version version) throws IOException {
    this.client =
        HttpClient.newBuilder()
            .sslContext(server.credentials().clientContext())
            .version(version)
            .build();
    this.url = server.url();
    this.token = server.token();
  }

  /// An answer, read whole.
  record Reply(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    String text() {
      return response.body();
    }

    JsonNode json() throws IOException {
      return JSON.readTree(response.body());
    }
  }

  /// @param headers names and values in turn
  HttpRequest.Builder request(String path, String... headers) {
    var builder = HttpRequest.newBuilder(url.resolve(path)).timeout(Duration.ofSeconds(30));
    builder.header("Authorization", "Bearer " + token);
    if (headers.length > 0) builder.headers(headers);
    return builder;
  }

  Reply get(String path, String... headers) throws IOException, InterruptedException {
    return send(request(path, headers).GET());
  }

  Reply send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    return send(request(path, headers).method(method, BodyPublishers.ofString(body)));
  }

  Reply send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return new Reply(client.send(request.build(), BodyHandlers.ofString()));
  }

  HttpClient client() {
    return client;
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
