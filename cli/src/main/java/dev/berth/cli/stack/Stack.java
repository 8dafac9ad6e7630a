package dev.berth.cli.stack;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.http.HttpServer;
import dev.berth.apiserver.http.PodLogs;
import dev.berth.apiserver.http.PortTakenException;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.apiserver.store.StoreException;
import dev.berth.apiserver.tls.Credentials;
import dev.berth.apiserver.tls.CredentialsException;
import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.driver.disk.DiskDriver;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.model.Kind;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.time.SystemTime;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.DriverSidecars;
import dev.berth.sidecar.SidecarOptions;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One machine's whole stack in this process: API server, controllers, sidecars, disk driver,
/// nodes.
///
/// Killed at any moment it leaves running containers and mounts, which the next one takes over.
/// Closed, it ends containers and unmounts everything; objects and data stay.
public final class Stack implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Stack.class);

  private final Closing closing = new Closing();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Doors doors;

  private Stack(StackOptions options) throws IOException, StoreException, InterruptedException {
    try {
      doors = start(options, closing);
    } catch (Throwable failed) {
      closing.close();
      throw failed;
    }
    Runtime.getRuntime().addShutdownHook(new Thread(this::shutDown, "shut-down"));
  }

  /// Returns when the API answers and every node is ready.
  ///
  /// @throws Problem if it cannot be started; nothing is left behind
  public static Stack start(StackOptions options) throws InterruptedException {
    Preflight.check(options.home(), options.port());
    try {
      return new Stack(options);
    } catch (PortTakenException taken) {
      throw new Problem(Preflight.taken(options.port()));
    } catch (StoreException | CredentialsException | IOException broken) {
      log.error("start failed", broken);
      throw new Problem(String.valueOf(broken.getMessage()));
    }
  }

  private static Doors start(StackOptions options, Closing closing)
      throws IOException, StoreException, InterruptedException {
    var home = options.home();
    closing.add(lock(home));
    Logging.into(home);
    log.info("starting in {}", home.folder());
    var credentials = Credentials.in(home.folder());
    var server = closing.add(EmbeddedApiServer.start(SqliteStore.open(home.store())));
    var time = closing.add(new SystemTime("stack"));
    var local = new LocalApi(server, closing.add(Executors.newVirtualThreadPerTaskExecutor()));
    var logs = new NodeLogs(local);
    var metrics = new PrometheusRegistry();
    var http =
        closing.add(
            HttpServer.start(
                server,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port()),
                credentials,
                logs,
                () -> MetricsText.of(metrics)));
    credentials.writeKubeconfig(home.kubeconfig(), http.url());

    Installed.ensure(local);
    var caches = closing.add(Caches.of(local, time, KINDS));
    caches.start();
    var loopMetrics = new LoopMetrics(metrics);
    closing.add(ControlPlane.start(caches, time, loopMetrics));
    boolean first = true;
    for (var name : options.nodeNames()) {
      var node = closing.add(NodeStack.start(home, name, first, caches, time, loopMetrics));
      logs.add(name, node.logs());
      if (first) closing.add(sidecars(node.socket(), caches, time, loopMetrics)).start();
      first = false;
    }
    for (var driver : options.drivers())
      closing.add(sidecars(driver.path(), caches, time, loopMetrics)).start();
    Installed.retire(local, options.nodeNames());
    Readiness.await(caches, options.nodeNames(), DiskDriver.NAME);
    log.info("ready on {}", http.url());
    return new Doors(caches.api(), logs);
  }

  private static DriverSidecars sidecars(
      Path driver, Caches caches, Time time, LoopMetrics metrics) {
    return new DriverSidecars(
        driver,
        caches,
        time,
        metrics,
        facts -> new ApiEventRecorder(caches.api(), time, facts.name(), ""),
        SidecarOptions.DEFAULT);
  }

  /// How its own process reaches it, without a socket.
  private record Doors(Api api, PodLogs logs) {}

  private static final List<Kind<?>> KINDS =
      List.of(
          Kinds.CLAIM,
          Kinds.VOLUME,
          Kinds.STORAGE_CLASS,
          Kinds.ATTACHMENT,
          Kinds.POD,
          Kinds.NODE,
          Kinds.CSI_NODE,
          Kinds.CSI_DRIVER,
          Kinds.STORAGE_CAPACITY);

  private static AutoCloseable lock(Home home) throws IOException {
    try {
      return home.lock();
    } catch (Home.InUse inUse) {
      throw new Problem(String.valueOf(inUse.getMessage()));
    }
  }

  /// Its API server, without a socket.
  public Api api() {
    return doors.api();
  }

  /// What containers on its nodes write.
  public PodLogs logs() {
    return doors.logs();
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
