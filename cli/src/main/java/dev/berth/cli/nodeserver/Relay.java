package dev.berth.cli.nodeserver;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Joins a client with the server that a container engine has for streams: from the request on, all
/// that either says goes to the other as it is.
final class Relay {
  private static final int CONNECTING_MILLIS = 10_000;
  private static final int BLOCK = 16 * 1024;

  /// What the engine has to see of the request; the rest is between client and node.
  private static final List<String> PASSED =
      List.of(
          "connection",
          "upgrade",
          "x-stream-protocol-version",
          "sec-websocket-key",
          "sec-websocket-version",
          "sec-websocket-protocol",
          "sec-websocket-extensions");

  private Relay() {}

  /// Returns when one of them has left.
  ///
  /// @throws Answer.Refusal if the engine's server cannot be reached; nothing was answered
  static void join(Head head, Client client, URI engine) throws IOException {
    if (!"http".equals(engine.getScheme()))
      throw new Answer.Refusal(
          502,
          "the container engine carries streams by %s, which is not spoken here: let it serve them without TLS, on the loopback"
              .formatted(engine.getScheme()));
    try (var socket = new Socket()) {
      try {
        socket.connect(
            new InetSocketAddress(engine.getHost(), engine.getPort()), CONNECTING_MILLIS);
      } catch (IOException unreached) {
        throw new Answer.Refusal(
            502,
            "the container engine's server of streams does not answer: " + unreached.getMessage());
      }
      var request = new StringBuilder();
      request.append("%s %s HTTP/1.1\r\n".formatted(head.method(), target(engine)));
      request.append("Host: %s\r\n".formatted(engine.getAuthority()));
      for (var name : PASSED)
        for (var value : head.headers().getOrDefault(name, List.of()))
          request.append("%s: %s\r\n".formatted(name, value));
      request.append("\r\n");
      socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
      Thread.startVirtualThread(() -> copy(client.in(), socket));
      transfer(socket.getInputStream(), client.out());
    } finally {
      client.socket().shutdownOutput();
    }
  }

  private static String target(URI engine) {
    var query = engine.getRawQuery();
    return query == null ? engine.getRawPath() : engine.getRawPath() + "?" + query;
  }

  private static void copy(InputStream from, Socket to) {
    try (to) {
      transfer(from, to.getOutputStream());
    } catch (IOException _) {
      // one of them has left
    }
  }

  private static void transfer(InputStream from, OutputStream to) throws IOException {
    var block = new byte[BLOCK];
    for (int count = from.read(block); count >= 0; count = from.read(block)) {
      to.write(block, 0, count);
      to.flush();
    }
  }
}
