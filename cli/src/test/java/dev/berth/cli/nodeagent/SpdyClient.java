package dev.berth.cli.nodeagent;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.Deflater;
import javax.net.ssl.SSLSocket;

/// What an API server does at a node for a client of `exec` or `port-forward`: SPDY/3.1 on an
/// upgraded connection.
public final class SpdyClient implements AutoCloseable {
  private static final int CONTROL = 0x8003;
  private static final int SYN_STREAM = 1;
  private static final int FIN = 1;

  private final SSLSocket socket;
  private final DataInputStream in;
  private final OutputStream out;
  private final Deflater deflater = new Deflater();
  private final Map<Integer, ByteArrayOutputStream> received = new HashMap<>();
  private final Map<Integer, Boolean> ended = new HashMap<>();
  private int next = 1;

  public SpdyClient(SSLSocket socket, String path, String token, String protocol)
      throws IOException {
    this.socket = socket;
    this.in = new DataInputStream(socket.getInputStream());
    this.out = socket.getOutputStream();
    out.write(
        "POST %s HTTP/1.1\r\nHost: node\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: %s\r\nAuthorization: Bearer %s\r\nContent-Length: 0\r\n\r\n"
            .formatted(path, protocol, token)
            .getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  /// Reads the answer's head.
  public String head() throws IOException {
    var head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n"))
      head.write(in.readByte());
    return head.toString(StandardCharsets.US_ASCII);
  }

  public int open(String... pairs) throws IOException {
    var headers = new LinkedHashMap<String, String>();
    for (int i = 0; i < pairs.length; i += 2) headers.put(pairs[i], pairs[i + 1]);
    var plain = new ByteArrayOutputStream();
    plain.writeBytes(ByteBuffer.allocate(4).putInt(headers.size()).array());
    headers.forEach((name, value) -> {
      text(plain, name);
      text(plain, value);
    });
    deflater.setInput(plain.toByteArray());
    var block = new byte[4096];
    int count = deflater.deflate(block, 0, block.length, Deflater.SYNC_FLUSH);
    int stream = next;
    next += 2;
    received.put(stream, new ByteArrayOutputStream());
    out.write(
        ByteBuffer.allocate(18 + count)
            .putInt(CONTROL << 16 | SYN_STREAM)
            .putInt(10 + count)
            .putInt(stream)
            .putInt(0)
            .putShort((short) 0)
            .put(block, 0, count)
            .array());
    out.flush();
    return stream;
  }

  private static void text(ByteArrayOutputStream out, String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeBytes(ByteBuffer.allocate(4).putInt(bytes.length).array());
    out.writeBytes(bytes);
  }

  void write(int stream, String text, boolean last) throws IOException {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    out.write(
        ByteBuffer.allocate(8 + bytes.length)
            .putInt(stream)
            .putInt((last ? FIN : 0) << 24 | bytes.length)
            .put(bytes)
            .array());
    out.flush();
  }

  /// What has come on a stream when it has ended, or the connection has.
  public String all(int stream) throws IOException {
    while (!ended.getOrDefault(stream, false)) if (!frame()) break;
    return text(stream);
  }

  /// What has come on a stream when there are so many bytes.
  String some(int stream, int count) throws IOException {
    while (text(stream).length() < count) if (!frame()) break;
    return text(stream);
  }

  private String text(int stream) {
    return Objects.requireNonNull(received.get(stream)).toString(StandardCharsets.UTF_8);
  }

  private boolean frame() throws IOException {
    int first;
    try {
      first = in.readInt();
    } catch (EOFException end) {
      return false;
    }
    int second = in.readInt();
    var body = new byte[second & 0xffffff];
    in.readFully(body);
    if (first < 0) return true;
    received.computeIfAbsent(first, _ -> new ByteArrayOutputStream()).writeBytes(body);
    if ((second >>> 24 & FIN) != 0) ended.put(first, true);
    return true;
  }

  /// What is left of the connection, as it is.
  String rest() throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    deflater.end();
    socket.close();
  }
}
