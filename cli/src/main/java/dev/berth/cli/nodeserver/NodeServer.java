package dev.berth.cli.nodeserver;

import dev.berth.cli.stack.NodeDoor;
import dev.berth.kube.api.Api;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves what API servers and Prometheus ask a node for, by HTTPS. Each connection carries one
/// request. Until it is known whose it is, it has [#PATIENCE] as a whole, the handshake included.
public final class NodeServer implements AutoCloseable {
  /// How long a client may take for what is its turn.
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /// After a connection that could not be had.
  private static final Duration PAUSE = Duration.ofMillis(100);

  private static final Logger log = LoggerFactory.getLogger(NodeServer.class);
  private static final int MOST_STRANGERS = 256;
  private static final int MOST_KNOWN = 512;

  private final ServerSocket listening;
  private final SSLSocketFactory tls;
  private final ServerSettings settings;
  private final Callers callers;
  private final PodRoutes pods;
  private final Told told;
  private final Strangers strangers;
  private final Semaphore known = new Semaphore(MOST_KNOWN);

  /// Strangers that were hung up may still be asked about.
  private final Semaphore room = new Semaphore(2 * MOST_STRANGERS + MOST_KNOWN);

  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /// What is told of the node as a whole.
  ///
  /// @param summary `/stats/summary`, in JSON
  public record Told(PrometheusRegistry metrics, Supplier<String> summary) {}

  private NodeServer(
      ServerSocket listening,
      ServerSettings settings,
      Api api,
      String node,
      NodeDoor door,
      Told told,
      Duration patience)
      throws IOException {
    this.listening = listening;
    this.tls = settings.tls(node).getSocketFactory();
    this.strangers = new Strangers(MOST_STRANGERS, patience);
    this.settings = settings;
    this.callers = new Callers(api, node, settings.rules());
    this.pods = new PodRoutes(door);
    this.told = told;
  }

  /// Serves from now on.
  ///
  /// @param api where callers are known
  /// @param node which this one is
  /// @throws IOException if the address cannot be had, or a certificate cannot be read
  public static NodeServer start(
      ServerSettings settings, Api api, String node, NodeDoor door, Told told) throws IOException {
    return start(settings, api, node, door, told, PATIENCE);
  }

  /// @param patience with clients, instead of [#PATIENCE]
  static NodeServer start(
      ServerSettings settings, Api api, String node, NodeDoor door, Told told, Duration patience)
      throws IOException {
    return start(new ServerSocket(), settings, api, node, door, told, patience);
  }

  /// @param listening not bound yet
  static NodeServer start(
      ServerSocket listening,
      ServerSettings settings,
      Api api,
      String node,
      NodeDoor door,
      Told told,
      Duration patience)
      throws IOException {
    try {
      listening.bind(settings.address());
      var server = new NodeServer(listening, settings, api, node, door, told, patience);
      Thread.ofVirtual().name("node-server").start(server::accept);
      return server;
    } catch (IOException impossible) {
      listening.close();
      throw impossible;
    }
  }

  /// Where it listens.
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        room.acquire();
        if (!take()) Thread.sleep(PAUSE);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /// @return false: it cannot be had, as when no file can be opened; the next could not either
  private boolean take() {
    try {
      var connection = listening.accept();
      keep(connection);
      open.add(connection);
      strangers.enter(connection);
      Thread.startVirtualThread(() -> serve(connection));
      return true;
    } catch (IOException failed) {
      room.release();
      if (!listening.isClosed()) log.debug("a connection was not taken", failed);
      return listening.isClosed();
    }
  }

  /// Who vanishes without a word is noticed after two minutes, also while nothing is to be said.
  private static void keep(Socket connection) {
    try {
      connection.setKeepAlive(true);
      connection.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 60);
      connection.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 15);
      connection.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 4);
    } catch (IOException gone) {
      log.debug("a connection has gone at once", gone);
    }
  }

  private void serve(Socket connection) {
    try (connection;
        var client =
            (SSLSocket) tls.createSocket(connection, InputStream.nullInputStream(), true)) {
      client.setWantClientAuth(settings.clientAuthority().isPresent());
      client.startHandshake();
      var in = new BufferedInputStream(client.getInputStream());
      answer(Head.read(in), connection, client, in);
    } catch (IOException broken) {
      log.debug("a request was not served to its end", broken);
    } catch (RuntimeException unexpected) {
      log.warn("a request was not served to its end", unexpected);
    } finally {
      strangers.leave(connection);
      open.remove(connection);
      room.release();
    }
  }

  /// What fails before a word was said is said: the client would see an end without a reason.
  private void answer(Head head, Socket connection, SSLSocket socket, BufferedInputStream in)
      throws IOException {
    var out = new Client.Out(socket.getOutputStream());
    try {
      answer(head, connection, new Client(socket, in, out, () -> strangers.goesSoon(connection)));
    } catch (Answer.Refusal refusal) {
      write(refusal.answer(), connection, socket);
    } catch (IOException | RuntimeException failed) {
      if (out.begun()) throw failed;
      log.warn("{} /{} failed", head.method(), String.join("/", head.path()), failed);
      write(Answer.text(500, failed.getMessage() + "\n"), connection, socket);
    }
  }

  private void answer(Head head, Socket connection, Client client) throws IOException {
    callers.check(head, client.socket().getSession(), settings.anonymous());
    if (!strangers.leave(connection)) return;
    if (!known.tryAcquire())
      throw new Answer.Refusal(503, "%d requests are being served".formatted(MOST_KNOWN));
    try {
      // from here on it may have nothing to say for hours
      if (pods.serve(head, client)) return;
      write(told(head), connection, client.socket());
    } finally {
      known.release();
    }
  }

  private void write(Answer answer, Socket connection, SSLSocket client) throws IOException {
    try (var _ = strangers.turn(connection)) {
      answer.write(client.getOutputStream());
      client.close(); // its farewell, too, has to be taken
    }
  }

  private Answer told(Head head) throws IOException {
    var path = "/" + String.join("/", head.path());
    return switch (path) {
      case "/healthz", "/livez" -> Answer.text(200, "ok");
      case "/stats/summary" -> new Answer(200, "application/json", told.summary().get());
      case "/metrics" -> new Answer(200, PrometheusTextFormatWriter.CONTENT_TYPE, measured());
      default -> Answer.text(404, "404 page not found\n");
    };
  }

  private String measured() throws IOException {
    var bytes = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.builder().build().write(bytes, told.metrics().scrape());
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    try {
      listening.close();
      strangers.close();
      for (var client : open) client.close();
    } catch (IOException failed) {
      log.debug("close the node's server", failed);
    }
  }
}
