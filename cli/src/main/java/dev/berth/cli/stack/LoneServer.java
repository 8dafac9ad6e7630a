package dev.berth.cli.stack;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.http.HttpServer;
import dev.berth.apiserver.http.Mode;
import dev.berth.apiserver.http.PortTakenException;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.apiserver.store.StoreException;
import dev.berth.apiserver.tls.Credentials;
import dev.berth.apiserver.tls.CredentialsException;
import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.kube.time.SystemTime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The API server alone in this process: no controllers, no nodes, nothing that needs root.
///
/// Killed at any moment it has lost nothing that it answered.
public final class LoneServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LoneServer.class);

  private final Closing closing = new Closing();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final URI url;

  private LoneServer(Home home, InetSocketAddress address, Mode mode)
      throws IOException, StoreException {
    try {
      url = start(home, address, mode, closing);
    } catch (Throwable failed) {
      closing.close();
      throw failed;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::shutDown, "shut-down"));
  }

  /// Returns when the API answers.
  ///
  /// @param address numeric; port 0: any that is free
  /// @throws Problem if it cannot be started; nothing is left behind
  public static LoneServer start(Home home, InetSocketAddress address, Mode mode) {
    Preflight.checkFolder(home);
    try {
      return new LoneServer(home, address, mode);
    } catch (PortTakenException taken) {
      throw new Problem(Preflight.taken(address.getPort()));
    } catch (StoreException | CredentialsException | IOException broken) {
      log.error("start failed", broken);
      throw new Problem(String.valueOf(broken.getMessage()));
    }
  }

  private static URI start(Home home, InetSocketAddress address, Mode mode, Closing closing)
      throws IOException, StoreException {
    home.reserve().useIfFull();
    closing.add(hold(home));
    Logging.into(home);
    log.info("starting the API server alone in {}", home.folder());
    var credentials = Credentials.in(home.folder(), names(address.getAddress()));
    var server = closing.add(EmbeddedApiServer.start(SqliteStore.open(home.store())));
    var local = new LocalApi(server, closing.add(Executors.newVirtualThreadPerTaskExecutor()));
    var metrics = new PrometheusRegistry();
    var http =
        closing.add(
            HttpServer.start(
                server,
                address,
                credentials,
                new NodeLogs(local),
                () -> MetricsText.of(metrics),
                mode));
    credentials.writeKubeconfig(home.kubeconfig(), http.url());
    Stack.keepReserve(home.reserve(), closing.add(new SystemTime("apiserver")));
    log.info("ready on {}", http.url());
    return http.url();
  }

  /// Under which clients reach it beside the names that it always has.
  private static String[] names(InetAddress bound) throws SocketException {
    if (!bound.isAnyLocalAddress()) return new String[] {bound.getHostAddress()};
    return NetworkInterface.networkInterfaces()
        .flatMap(NetworkInterface::inetAddresses)
        .map(each -> each.getHostAddress().replaceAll("%.*", ""))
        .toArray(String[]::new);
  }

  /// Takes a home for what is no stack.
  ///
  /// @throws Problem if it is in use
  public static AutoCloseable hold(Home home) throws IOException {
    try {
      return home.hold();
    } catch (Home.InUse inUse) {
      throw new Problem(String.valueOf(inUse.getMessage()));
    }
  }

  /// Where clients find it.
  public URI url() {
    return url;
  }

  /// Blocks until the process is asked to end.
  public void awaitStop() throws InterruptedException {
    stop.await();
  }

  private void shutDown() {
    stop.countDown();
    close();
  }

  @Override
  public void close() {
    synchronized (this) {
      if (stopped.getCount() == 0) return;
      closing.close();
      stopped.countDown();
    }
  }
}
