package dev.berth.bench.api;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/// One connection to a server on this machine, whose certificate is not looked at.
final class Client implements AutoCloseable {
  private final HttpClient client;
  private final URI server;
  private final String token;

  Client(URI server, String token) throws GeneralSecurityException {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
    this.client = HttpClient.newBuilder().sslContext(context).build();
    this.server = server;
    this.token = token;
  }

  /// @throws IOException if it is refused
  byte[] send(String method, String path, String body) throws IOException, InterruptedException {
    var answer = client.send(request(method, path, body), BodyHandlers.ofByteArray());
    if (answer.statusCode() >= 300)
      throw new IOException(
          method + " " + path + ": " + new String(answer.body(), StandardCharsets.UTF_8));
    return answer.body();
  }

  /// Every line that comes, until the server or [#close] ends it.
  Stream<String> lines(String path) throws IOException, InterruptedException {
    HttpResponse<Stream<String>> answer =
        client.send(request("GET", path, ""), BodyHandlers.ofLines());
    if (answer.statusCode() >= 300)
      throw new IOException(path + ": " + String.join(" ", answer.body().toList()));
    return answer.body();
  }

  private HttpRequest request(String method, String path, String body) {
    return HttpRequest.newBuilder(server.resolve(path))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", "application/json")
        .header("Accept", "application/json")
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
        .build();
  }

  @Override
  public void close() {
    client.shutdownNow();
  }

  private static final class Trusting extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
