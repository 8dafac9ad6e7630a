package dev.berth.node.pod.probe;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// One call of `grpc.health.v1.Health/Check`, over a connection that there is already. It is the
/// least of HTTP/2 that carries it: what comes back besides the answer is not read, but for where
/// it ends.
final class GrpcHealth {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int GO_AWAY = 7;
  private static final int END_STREAM = 1;
  private static final int ACKNOWLEDGED = 1;
  private static final int END_HEADERS = 4;
  private static final int STREAM = 1;
  private static final int LONGEST = 1 << 20;
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /// `HealthCheckResponse.ServingStatus`.
  private static final Map<Integer, String> STATUS =
      Map.of(0, "UNKNOWN", 1, "SERVING", 2, "NOT_SERVING", 3, "SERVICE_UNKNOWN");

  private GrpcHealth() {}

  /// How the service is.
  ///
  /// @param service empty: the server as a whole
  /// @throws IOException if there is no answer
  static Attempt check(InputStream from, OutputStream to, String authority, String service)
      throws IOException {
    to.write(PREFACE);
    write(to, SETTINGS, 0, 0, new byte[0]);
    write(to, HEADERS, END_HEADERS, STREAM, headers(authority));
    write(to, DATA, END_STREAM, STREAM, message(service));
    to.flush();
    var answer = answer(new DataInputStream(from), to);
    if (answer.length == 0)
      return Attempt.failure(
          "error: this server does not implement the grpc health protocol (grpc.health.v1.Health), or does not know the service \"%s\""
              .formatted(service));
    int status = status(answer);
    return status == 1
        ? Attempt.success()
        : Attempt.failure(
            "service unhealthy (responded with \"%s\")"
                .formatted(STATUS.getOrDefault(status, Integer.toString(status))));
  }

  /// All data of the stream.
  private static byte[] answer(DataInputStream in, OutputStream to) throws IOException {
    var data = new ByteArrayOutputStream();
    while (true) {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int stream = in.readInt() & Integer.MAX_VALUE;
      if (length + data.size() > LONGEST) throw new IOException("the answer is too long");
      var body = in.readNBytes(length);
      if (body.length < length) throw new IOException("the connection ended within an answer");
      switch (type) {
        case SETTINGS -> {
          if ((flags & ACKNOWLEDGED) == 0) write(to, SETTINGS, ACKNOWLEDGED, 0, new byte[0]);
        }
        case PING -> {
          if ((flags & ACKNOWLEDGED) == 0) write(to, PING, ACKNOWLEDGED, 0, body);
        }
        case GO_AWAY -> throw new IOException("the server takes no calls");
        case RESET -> {
          return data.toByteArray();
        }
        case DATA, HEADERS -> {
          if (type == DATA && stream == STREAM) data.write(body);
          if (stream == STREAM && (flags & END_STREAM) != 0) return data.toByteArray();
        }
        default -> {} // windows, priorities: nothing follows from them
      }
      to.flush();
    }
  }

  /// Field 1 of the message behind gRPC's five bytes; absent it is 0.
  private static int status(byte[] answer) throws IOException {
    if (answer.length < 5 || answer[0] != 0) throw new IOException("the answer is no gRPC message");
    return answer.length >= 7 && answer[5] == 0x08 ? answer[6] : 0;
  }

  private static void write(OutputStream to, int type, int flags, int stream, byte[] body)
      throws IOException {
    to.write(
        ByteBuffer.allocate(9 + body.length)
            .put((byte) (body.length >> 16))
            .putShort((short) body.length)
            .put((byte) type)
            .put((byte) flags)
            .putInt(stream)
            .put(body)
            .array());
  }

  private static byte[] headers(String authority) {
    var block = new ByteArrayOutputStream();
    literal(block, ":method", "POST");
    literal(block, ":scheme", "http");
    literal(block, ":path", "/grpc.health.v1.Health/Check");
    literal(block, ":authority", authority);
    literal(block, "te", "trailers");
    literal(block, "content-type", "application/grpc");
    literal(block, "user-agent", "kube-probe/1.37");
    return block.toByteArray();
  }

  /// Never indexed and not packed (RFC 7541, 6.2.2); no text here is longer than 126 bytes.
  private static void literal(ByteArrayOutputStream block, String name, String value) {
    block.write(0);
    for (var text : new String[] {name, value}) {
      block.write(text.length());
      block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }
  }

  /// `HealthCheckRequest` behind gRPC's five bytes.
  private static byte[] message(String service) {
    var name = service.getBytes(StandardCharsets.UTF_8);
    var request = new ByteArrayOutputStream();
    if (name.length > 0) {
      request.write(0x0A);
      for (int rest = name.length; ; rest >>>= 7) {
        request.write(rest < 0x80 ? rest : (rest & 0x7F) | 0x80);
        if (rest < 0x80) break;
      }
      request.writeBytes(name);
    }
    return ByteBuffer.allocate(5 + request.size())
        .put((byte) 0)
        .putInt(request.size())
        .put(request.toByteArray())
        .array();
  }
}
