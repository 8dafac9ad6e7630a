package dev.berth.apiserver.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.apiserver.proto.Protobuf;
import java.io.ByteArrayInputStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// API-19: what is large is packed for clients that are not on this machine, so by an address that
/// others would use.
class PackedAnswersTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  private record Reply(String head, byte[] body) {
    boolean isPacked() {
      return head.contains("Content-Encoding: gzip");
    }

    byte[] unpacked() throws Exception {
      try (var in = new GZIPInputStream(new ByteArrayInputStream(body))) {
        return in.readAllBytes();
      }
    }
  }

  @Test
  void largeAnswersArePacked(@TempDir Path home) throws Exception {
    var address = address();
    assumeTrue(address.isPresent(), "this machine has no address but its own");
    try (var server = RunningServer.at(address.get(), home)) {
      var large = "{\"metadata\":{\"name\":\"large\"},\"data\":{\"k\":\"%s\"}}";
      send(server, "POST", MAPS, "", large.formatted("v".repeat(200_000)));
      send(server, "POST", MAPS, "", "{\"metadata\":{\"name\":\"small\"}}");

      var object = send(server, "GET", MAPS + "/large", "Accept: application/json\r\n", "");
      assertThat(object.head()).contains("Content-Encoding: gzip");
      assertThat(object.head()).contains("Vary: Accept-Encoding");
      JsonNode read = JSON.readTree(object.unpacked());
      assertThat(read.at("/data/k").asText()).hasSize(200_000);

      var protobuf = send(server, "GET", MAPS, "Accept: " + Protobuf.MEDIA_TYPE + "\r\n", "");
      assertThat(protobuf.isPacked()).isTrue();
      var list = Protobuf.decode(protobuf.unpacked(), "", "");
      assertThat(list.path("items")).hasSizeGreaterThan(1);

      assertThat(send(server, "GET", MAPS, "", "").isPacked()).as("a list").isTrue();
      assertThat(send(server, "GET", MAPS + "/small", "", "").isPacked()).as("small").isFalse();
      var watch = MAPS + "?watch=1&resourceVersion=0&timeoutSeconds=1";
      assertThat(send(server, "GET", watch, "", "").isPacked()).as("a watch").isFalse();
    }
  }

  private static Optional<InetAddress> address() throws Exception {
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .filter(address -> address instanceof Inet4Address && !address.isLoopbackAddress())
        .findFirst();
  }

  /// By hand, as the server's certificate does not name every address.
  private static Reply send(
      RunningServer server, String method, String path, String headers, String body)
      throws Exception {
    var url = server.url();
    var sockets = server.credentials().clientContext().getSocketFactory();
    try (var socket = sockets.createSocket(url.getHost(), url.getPort())) {
      var request =
          "%s %s HTTP/1.1\r\n"
              + "Host: localhost\r\n"
              + "Authorization: Bearer %s\r\n"
              + "Accept-Encoding: gzip\r\n"
              + "Connection: close\r\n"
              + "%sContent-Length: %d\r\n\r\n"
              + "%s";
      var text = request.formatted(method, path, server.token(), headers, body.length(), body);
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      var answer = socket.getInputStream().readAllBytes();
      var plain = new String(answer, StandardCharsets.ISO_8859_1);
      int end = plain.indexOf("\r\n\r\n") + 4;
      var content = plain.substring(end).getBytes(StandardCharsets.ISO_8859_1);
      var head = plain.substring(0, end);
      return new Reply(head, head.contains("chunked") ? joined(plain.substring(end)) : content);
    }
  }

  private static byte[] joined(String chunks) {
    var content = new StringBuilder();
    for (int at = 0; ; ) {
      int line = chunks.indexOf("\r\n", at);
      int length = Integer.parseInt(chunks.substring(at, line), 16);
      if (length == 0) return content.toString().getBytes(StandardCharsets.ISO_8859_1);
      content.append(chunks, line + 2, line + 2 + length);
      at = line + 2 + length + 2;
    }
  }
}
