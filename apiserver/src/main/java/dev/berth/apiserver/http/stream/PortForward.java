package dev.berth.apiserver.http.stream;

import dev.berth.apiserver.http.stream.SpdyConnection.Message;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Forwards connections to ports of a pod. Each has two streams of one number, one for data and one
/// on which it is said what goes wrong.
public final class PortForward implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(PortForward.class);
  private static final int BLOCK = 16 * 1024;

  /// Connections of one client at once. Each has a thread and a socket.
  private static final int MOST = 250;

  /// In characters.
  private static final int LONGEST_NUMBER = 64;

  private final SpdyConnection client;
  private final Ports ports;
  private final Map<String, Integer> errors = new ConcurrentHashMap<>();
  private final Map<Integer, SocketChannel> connections = new ConcurrentHashMap<>();

  /// The ports of a pod.
  @FunctionalInterface
  public interface Ports {
    /// @throws IOException nobody listens there; the message is for people
    SocketChannel connect(int port) throws IOException;
  }

  PortForward(SpdyConnection client, Ports ports) {
    this.client = client;
    this.ports = ports;
  }

  /// Forwards until the client leaves.
  void serve() {
    try {
      for (var next = client.next(); next.isPresent(); next = client.next()) deal(next.get());
    } catch (IOException gone) {
      log.debug("port forwarding", gone);
    } finally {
      close();
    }
  }

  private void deal(Message message) throws IOException {
    switch (message) {
      case Message.Opened(int stream, var headers, _) -> open(stream, headers);
      case Message.Data(int stream, var bytes, boolean last) -> {
        var connection = connections.get(stream);
        if (connection != null) write(stream, connection, bytes, last);
      }
      case Message.Reset(int stream) -> drop(stream);
    }
  }

  /// The stream of errors comes before that of data.
  private void open(int stream, Map<String, String> headers) throws IOException {
    var type = headers.getOrDefault("streamtype", "");
    var number = headers.getOrDefault("requestid", headers.getOrDefault("port", ""));
    var port = headers.getOrDefault("port", "");
    boolean known = type.equals("error") || type.equals("data");
    boolean taken = errors.size() >= MOST || connections.size() >= MOST;
    if (!known || taken || !port.matches("[0-9]{1,5}") || number.length() > LONGEST_NUMBER) {
      client.reset(stream);
      return;
    }
    client.accept(stream);
    if (type.equals("error")) {
      errors.put(number, stream);
      return;
    }
    var error = errors.remove(number);
    try {
      var connection = ports.connect(Integer.parseInt(port));
      connections.put(stream, connection);
      Thread.startVirtualThread(() -> copy(stream, connection, error));
    } catch (IOException | IllegalArgumentException refused) {
      if (error != null) {
        var text =
            "error forwarding port %s to pod: %s"
                .formatted(port, refused.getMessage())
                .getBytes(StandardCharsets.UTF_8);
        client.data(error, text, text.length, true);
      }
      client.data(stream, new byte[0], 0, true);
    }
  }

  private void write(int stream, SocketChannel connection, byte[] bytes, boolean last)
      throws IOException {
    try {
      for (var left = ByteBuffer.wrap(bytes); left.hasRemaining(); ) connection.write(left);
      if (last) connection.shutdownOutput();
    } catch (IOException broken) {
      drop(stream);
      client.reset(stream);
    }
  }

  private void copy(int stream, SocketChannel connection, @Nullable Integer error) {
    var block = ByteBuffer.allocate(BLOCK);
    try {
      while (connection.read(block.clear()) >= 0)
        if (block.position() > 0) client.data(stream, block.array(), block.position(), false);
    } catch (IOException _) {
      // it is closed, here or there
    } finally {
      finish(stream, error);
    }
  }

  private void finish(int stream, @Nullable Integer error) {
    drop(stream);
    try {
      client.data(stream, new byte[0], 0, true);
      if (error != null) client.data(error, new byte[0], 0, true);
    } catch (IOException _) {
      // the client has left
    }
  }

  private void drop(int stream) {
    var connection = connections.remove(stream);
    if (connection != null) close(connection);
  }

  private static void close(SocketChannel connection) {
    try {
      connection.close();
    } catch (IOException broken) {
      log.debug("close a forwarded connection", broken);
    }
  }

  @Override
  public void close() {
    connections.values().forEach(PortForward::close);
  }
}
