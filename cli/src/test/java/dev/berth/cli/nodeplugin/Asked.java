package dev.berth.cli.nodeplugin;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/// What was answered over HTTP.
record Asked(int status, String text) {
  static final Asked OK = new Asked(200, "ok");

  static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  static Asked at(InetSocketAddress address, String path) throws IOException, InterruptedException {
    try (var http = HttpClient.newHttpClient()) {
      var answer =
          http.send(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:%d%s".formatted(address.getPort(), path)))
                  .build(),
              BodyHandlers.ofString());
      return new Asked(answer.statusCode(), answer.body());
    }
  }
}
