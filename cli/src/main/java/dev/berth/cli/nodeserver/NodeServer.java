package dev.berth.cli.nodeserver;

import dev.berth.cli.stack.NodeDoor;
import dev.berth.kube.api.Api;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Serves what API servers and Prometheus ask a node for, by HTTPS. Each connection carries one
/// request.
public final class NodeServer implements AutoCloseable {
  /// How long a client may take for what is its turn.
  static final int PATIENCE_MILLIS = 10_000;

  private static final Logger log = LoggerFactory.getLogger(NodeServer.class);
  private static final int MOST_CONNECTIONS = 512;

  private final SSLServerSocket listening;
  private final ServerSettings settings;
  private final Callers callers;
  private final PodRoutes pods;
  private final Told told;
  private final Semaphore room = new Semaphore(MOST_CONNECTIONS);
  private final Set<SSLSocket> open = ConcurrentHashMap.newKeySet();

  /// What is told of the node as a whole.
  ///
  /// @param summary `/stats/summary`, in JSON
  public record Told(PrometheusRegistry metrics, Supplier<String> summary) {}

  private NodeServer(
      SSLServerSocket listening,
      ServerSettings settings,
      Api api,
      String node,
      NodeDoor door,
      Told told) {
    this.listening = listening;
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
    var listening =
        (SSLServerSocket) settings.tls(node).getServerSocketFactory().createServerSocket();
    try {
      listening.setWantClientAuth(settings.clientAuthority().isPresent());
      listening.bind(settings.address());
    } catch (IOException taken) {
      listening.close();
      throw taken;
    }
    var server = new NodeServer(listening, settings, api, node, door, told);
    Thread.ofVirtual().name("node-server").start(server::accept);
    return server;
  }

  /// Where it listens.
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  private void accept() {
    while (!listening.isClosed()) {
      try {
        room.acquire();
        var client = (SSLSocket) listening.accept();
        open.add(client);
        Thread.startVirtualThread(() -> serve(client));
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return;
      } catch (IOException failed) {
        room.release();
        if (!listening.isClosed()) log.debug("a connection was not taken", failed);
      }
    }
  }

  private void serve(SSLSocket client) {
    try (client) {
      client.setSoTimeout(PATIENCE_MILLIS);
      client.startHandshake();
      var in = new BufferedInputStream(client.getInputStream());
      try {
        answer(Head.read(in), client, in);
      } catch (Answer.Refusal refusal) {
        refusal.answer().write(client.getOutputStream());
      }
    } catch (IOException | RuntimeException broken) {
      log.debug("a request was not served to its end", broken);
    } finally {
      open.remove(client);
      room.release();
    }
  }

  private void answer(Head head, SSLSocket client, BufferedInputStream in) throws IOException {
    callers.check(head, client.getSession(), settings.anonymous());
    client.setSoTimeout(0); // from here on it may have nothing to say for hours
    if (pods.serve(head, client, in)) return;
    var path = "/" + String.join("/", head.path());
    var answer =
        switch (path) {
          case "/healthz", "/livez" -> Answer.text(200, "ok");
          case "/stats/summary" -> new Answer(200, "application/json", told.summary().get());
          case "/metrics" -> new Answer(200, PrometheusTextFormatWriter.CONTENT_TYPE, measured());
          default -> Answer.text(404, "404 page not found\n");
        };
    answer.write(client.getOutputStream());
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
      for (var client : open) client.close();
    } catch (IOException failed) {
      log.debug("close the node's server", failed);
    }
  }
}
