package dev.berth.cli.nodeserver;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Program;
import dev.berth.cli.stack.NodeDoor;
import dev.berth.kube.api.Api;
import dev.berth.node.layout.Layout;
import dev.berth.node.pod.log.ContainerLogs;
import dev.berth.node.pod.log.LogLayout;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.host.HostRuntime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/// The server of a node `node-a` that answers everybody, and its clients.
final class TestServer implements AutoCloseable {
  private final Path folder;
  private final List<AutoCloseable> closing = new ArrayList<>();
  private InetSocketAddress address = new InetSocketAddress(0);

  /// Where the node looks who asks.
  Api api;

  /// What the node's pods run in.
  ContainerRuntime runtime;

  /// What it listens by.
  ServerSocket listening;

  /// It has not begun.
  TestServer(Path folder) throws Exception {
    this.folder = folder;
    var kept = EmbeddedApiServer.start(new MemoryStore());
    closing.add(kept);
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    closing.addFirst(threads);
    api = new LocalApi(kept, threads);
    runtime = HostRuntime.open(new Layout(folder.resolve("k")), List.of());
    closing.add(runtime);
    listening = new ServerSocket();
  }

  /// @param rights of its callers, as `--authorization-mode` has them
  void start(Duration patience, String rights) throws Exception {
    var words =
        List.of(
            "--port=0",
            "--address=127.0.0.1",
            "--anonymous-auth",
            "--authorization-mode=" + rights);
    var given = CommandLines.read(List.of(Program.KUBELET), words).of(Program.KUBELET);
    var logs = new ContainerLogs(new LogLayout(folder.resolve("logs")), runtime);
    var server =
        NodeServer.start(
            listening,
            new ServerSettings(given, folder.resolve("k"), InetAddress.getLoopbackAddress()),
            api,
            "node-a",
            new NodeDoor(api, "node-a", runtime, logs),
            new NodeServer.Told(new PrometheusRegistry(), () -> "{}"),
            patience);
    closing.add(server);
    address = server.address();
  }

  int port() {
    return address.getPort();
  }

  Socket plain() throws IOException {
    var socket = new Socket(address.getAddress(), address.getPort());
    closing.add(socket);
    return socket;
  }

  SSLSocket secured() throws IOException, GeneralSecurityException {
    var context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Everybody()}, null);
    return (SSLSocket)
        context.getSocketFactory().createSocket(plain(), "localhost", address.getPort(), true);
  }

  /// All that it answers to a GET.
  String get(String path) throws Exception {
    try (var socket = secured()) {
      socket.setSoTimeout(60_000);
      var request = "GET %s HTTP/1.1\r\nHost: node\r\n\r\n".formatted(path);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() throws Exception {
    for (var each : closing.reversed()) each.close();
  }

  /// The certificate of a node is its own.
  private static final class Everybody implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
