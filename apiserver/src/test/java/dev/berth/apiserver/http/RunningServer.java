package dev.berth.apiserver.http;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.core.World;
import dev.berth.apiserver.core.message.Answer;
import dev.berth.apiserver.core.message.Request;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.apiserver.store.Store;
import dev.berth.apiserver.tls.Credentials;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.StoredResources;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/// The real server over real TLS on a free port, with everything in memory unless told otherwise.
final class RunningServer implements AutoCloseable {
  private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

  private final Path home;
  private final EmbeddedApiServer api;
  private final Credentials credentials;
  private final HttpServer http;

  private RunningServer(
      Path home, Store store, PodLogs logs, HttpServer.Limits limits, InetAddress address)
      throws Exception {
    this(home, store, logs, limits, address, () -> "up 1\n");
  }

  private RunningServer(
      Path home,
      Store store,
      PodLogs logs,
      HttpServer.Limits limits,
      InetAddress address,
      Supplier<String> metrics)
      throws Exception {
    this.home = home;
    this.api = EmbeddedApiServer.start(store);
    this.credentials = Credentials.in(home);
    this.http =
        HttpServer.start(
            api, new InetSocketAddress(address, 0), credentials, logs, metrics, Mode.RBAC, limits);
    credentials.writeKubeconfig(kubeconfig(), http.url());
  }

  static RunningServer in(Path home) throws Exception {
    return in(home, RunningServer::log);
  }

  static RunningServer in(Path home, PodLogs logs) throws Exception {
    return in(home, new MemoryStore(), logs);
  }

  static RunningServer in(Path home, HttpServer.Limits limits) throws Exception {
    return new RunningServer(home, new MemoryStore(), RunningServer::log, limits, LOOPBACK);
  }

  static RunningServer in(Path home, Store store, PodLogs logs) throws Exception {
    return new RunningServer(home, store, logs, HttpServer.Limits.DEFAULT, LOOPBACK);
  }

  /// With metrics that somebody else tells.
  static RunningServer in(Path home, Supplier<String> metrics) throws Exception {
    var limits = HttpServer.Limits.DEFAULT;
    return new RunningServer(
        home, new MemoryStore(), RunningServer::log, limits, LOOPBACK, metrics);
  }

  /// Where clients on other machines find it.
  static RunningServer at(InetAddress address, Path home) throws Exception {
    var limits = HttpServer.Limits.DEFAULT;
    return new RunningServer(home, new MemoryStore(), RunningServer::log, limits, address);
  }

  /// With the store that users have.
  static RunningServer onDisk(Path home) throws Exception {
    return in(home, SqliteStore.open(home.resolve("api")), RunningServer::log);
  }

  private static ByteArrayInputStream log(
      ObjectKey pod, String container, PodLogs.Options options) {
    var text = "log of %s in %s\n".formatted(container, pod);
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  Path kubeconfig() {
    return home.resolve("kubeconfig");
  }

  URI url() {
    return http.url();
  }

  EmbeddedApiServer api() {
    return api;
  }

  Credentials credentials() {
    return credentials;
  }

  String token() throws IOException {
    return Files.readString(home.resolve("pki/admin.token")).strip();
  }

  /// Lets everybody in a group do everything, without being an administrator.
  RunningServer allowing(String group) throws Exception {
    var binding =
        """
        {metadata: {name: %1$s}, subjects: [{kind: Group, name: %1$s, apiGroup: rbac.authorization.k8s.io}],
          roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}}
        """
            .formatted(group);
    var answer =
        api.handle(
            new Request.Create(StoredResources.CLUSTER_ROLE_BINDINGS, "", World.yaml(binding)));
    if (!(answer instanceof Answer.Created)) throw new AssertionError(answer);
    return this;
  }

  @Override
  public void close() {
    http.close();
    api.close();
  }

  /// Serves until it is killed, for trying things by hand: `kubectl --kubeconfig HOME/kubeconfig`.
  public static void main(String[] args) throws Exception {
    var begin = System.nanoTime();
    try (var server = in(Path.of(args[0]))) {
      System.out.println(
          server.url() + " after " + (System.nanoTime() - begin) / 1_000_000 + " ms");
      Thread.currentThread().join();
    }
  }
}
