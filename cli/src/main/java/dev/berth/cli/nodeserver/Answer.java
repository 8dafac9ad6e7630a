package dev.berth.cli.nodeserver;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// A short answer, after which the connection ends.
record Answer(int status, String type, String body) {
  private static final Map<Integer, String> WORDS =
      Map.of(
          200, "OK",
          400, "Bad Request",
          401, "Unauthorized",
          403, "Forbidden",
          404, "Not Found",
          405, "Method Not Allowed",
          500, "Internal Server Error",
          502, "Bad Gateway",
          503, "Service Unavailable");

  static Answer text(int status, String body) {
    return new Answer(status, "text/plain; charset=utf-8", body);
  }

  void write(OutputStream out) throws IOException {
    var bytes = body.getBytes(StandardCharsets.UTF_8);
    var head =
        "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
            .formatted(status, WORDS.getOrDefault(status, "Answer"), type, bytes.length);
    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
    out.write(bytes);
    out.flush();
  }

  /// What is asked for cannot be done, and why.
  static final class Refusal extends IOException {
    private static final long serialVersionUID = 1;
    private final int status;

    Refusal(int status, String message) {
      super(message);
      this.status = status;
    }

    Answer answer() {
      return text(status, getMessage() + "\n");
    }
  }
}
