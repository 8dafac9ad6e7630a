package dev.berth.cli.stack;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.admission.Admittance;
import dev.berth.apiserver.http.HttpServer;
import dev.berth.apiserver.http.PodLogs;
import dev.berth.apiserver.http.PortTakenException;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.rights.token.TokenRequests;
import dev.berth.apiserver.rights.token.Tokens;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.apiserver.store.StoreException;
import dev.berth.apiserver.tls.Credentials;
import dev.berth.apiserver.tls.CredentialsException;
import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.cli.home.Reserve;
import dev.berth.cli.shipped.ShippedKinds;
import dev.berth.controller.ControllerMetrics;
import dev.berth.controller.roster.Controllers;
import dev.berth.driver.baremetal.BareMetalDriver;
import dev.berth.driver.disk.DiskDriver;
import dev.berth.driver.process.SpareHeap;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.object.Kind;
import dev.berth.kube.time.SystemTime;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.DriverNames;
import dev.berth.sidecar.DriverSidecars;
import dev.berth.sidecar.Recorders;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.capacity.CapacityOptions;
import dev.berth.sidecar.metric.SidecarMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One machine's whole stack in this process: API server, controllers, sidecars, disk driver,
/// nodes.
///
/// Killed at any moment it leaves running containers and mounts, which the next one takes over.
/// Closed, it ends containers and unmounts everything; objects and data stay.
public final class Stack implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Stack.class);

  /// Of a stack with a thousand claims two fifths are alive.
  private static final long SPARE_GROWTH = 48L << 20;

  /// How long a driver may take to say how much room it has.
  private static final Duration ANSWER = Duration.ofMinutes(1);

  private static final String SYSTEM = "kube-system";

  private static final Duration RESERVE_PERIOD = Duration.ofMinutes(1);

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

  /// Ends what a stack that is no longer up has left in a home: containers and mounts. Objects and
  /// data stay. Only nodes are started for that; and where the store cannot be used, as on a disk
  /// that is full or broken, they do without its objects.
  ///
  /// @param nodes how many nodes to look after
  /// @throws Problem if not even that can be done
  public static void end(Home home, int nodes) throws InterruptedException {
    Preflight.checkMachine();
    try (var closing = new Closing()) {
      home.reserve().useIfFull();
      closing.add(lock(home));
      Logging.into(home);
      log.info("ending what is left in {}", home.folder());
      var server = closing.add(serverToEnd(home));
      var time = closing.add(new SystemTime("stack"));
      var local = new LocalApi(server, closing.add(Executors.newVirtualThreadPerTaskExecutor()));
      var caches = closing.add(Caches.of(local, time, Controllers.KINDS));
      caches.start();
      var metrics = new LoopMetrics(new PrometheusRegistry());
      var drives = home.drives().file();
      for (var name : StackOptions.nodeNames(nodes)) {
        var plan = new NodeStack.Plan(home, name, false, drives);
        closing.add(NodeStack.start(plan, caches, time, metrics, Optional.empty()));
      }
    } catch (StoreException | IOException broken) {
      log.error("could not end what is left", broken);
      throw new Problem(String.valueOf(broken.getMessage()));
    }
  }

  private static EmbeddedApiServer serverToEnd(Home home) throws StoreException {
    try {
      var store = SqliteStore.open(home.store());
      try {
        return EmbeddedApiServer.start(store);
      } catch (StoreException unusable) {
        store.close();
        throw unusable;
      }
    } catch (StoreException unusable) {
      log.warn("mounts are taken down without the store: {}", unusable.getMessage());
      return EmbeddedApiServer.start(new MemoryStore());
    }
  }

  private static Doors start(StackOptions options, Closing closing)
      throws IOException, StoreException, InterruptedException {
    var home = options.home();
    home.reserve().useIfFull();
    closing.add(lock(home));
    Logging.into(home);
    log.info("starting in {}", home.folder());
    var credentials = Credentials.in(home.folder());
    var server = closing.add(EmbeddedApiServer.start(SqliteStore.open(home.store())));
    var time = closing.add(new SystemTime("stack"));
    var tokens = new TokenRequests(new Tokens(credentials.signingKeys(), InstantSource.system()));
    var local =
        new LocalApi(server, closing.add(Executors.newVirtualThreadPerTaskExecutor()))
            .issuing(tokens)
            .judgedBy(new Admittance(server));
    var logs = new NodeLogs(local);
    var metrics = new PrometheusRegistry();
    var http =
        closing.add(
            HttpServer.start(
                server,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), options.port()),
                credentials,
                logs,
                () -> MetricsText.of(metrics),
                options.mode()));
    credentials.writeKubeconfig(home.kubeconfig(), http.url());

    var kinds = Thread.ofVirtual().name("kinds").start(() -> ShippedKinds.install(local));
    Installed.ensure(local);
    if (options.drives().isPresent()) {
      Installed.ensureBareMetal(local);
      home.drives().note(options.drives().get());
    }
    var caches = closing.add(new Caches(local, time, Controllers.scopes(KINDS)));
    caches.start();
    var loopMetrics = new LoopMetrics(metrics);
    ControllerMetrics.showBound(metrics, caches::snapshot);
    ControllerMetrics.showAttached(metrics, caches::snapshot);
    closing.add(ControlPlane.start(caches, time, loopMetrics, new ControllerMetrics(metrics)));
    var troubles = new TreeSet<String>();
    var names = new DriverNames();
    var sidecarMetrics = new SidecarMetrics(loopMetrics, metrics);
    boolean first = true;
    for (var name : options.nodeNames()) {
      var node =
          closing.add(
              NodeStack.start(
                  new NodeStack.Plan(home, name, first, options.drives()),
                  caches,
                  time,
                  loopMetrics,
                  Optional.of(http.endpoint())));
      logs.add(name, node.runtime(), node.logs());
      if (!node.trouble().isEmpty()) troubles.add(node.trouble());
      if (first) {
        closing.add(sidecars(node.socket(), names, caches, time, sidecarMetrics)).start();
        node.bareMetalSocket()
            .ifPresent(socket ->
                closing
                    .add(sidecars(socket, names, caches, time, sidecarMetrics, ofDrives()))
                    .start());
      }
      first = false;
    }
    for (var driver : options.drivers())
      closing.add(sidecars(driver.path(), names, caches, time, sidecarMetrics)).start();
    Installed.retire(local, options.nodeNames());
    kinds.join();
    Readiness.await(
        caches,
        options.nodeNames(),
        options.drives().isPresent()
            ? List.of(DiskDriver.NAME, BareMetalDriver.NAME)
            : List.of(DiskDriver.NAME));
    for (var driver : options.drivers())
      if (!driver.isServed())
        troubles.add("no driver answers at %s; its volumes wait until one does".formatted(driver));
    closing.add(SpareHeap.watched(SPARE_GROWTH));
    keepReserve(home.reserve(), time);
    closing.add(home.reserve()::useIfFull);
    log.info("ready on {}", http.url());
    troubles.forEach(log::error);
    return new Doors(caches.api(), logs, List.copyOf(troubles));
  }

  /// As long as the stack is up, whenever there is plenty of room.
  static void keepReserve(Reserve reserve, Time time) {
    try {
      reserve.take();
    } catch (IOException unreadable) {
      log.warn("no room was reserved: {}", unreadable.toString());
    }
    time.after(RESERVE_PERIOD, () -> keepReserve(reserve, time));
  }

  /// Whole drives: the scheduler has to know where one is free (BM-93). The driver says when that
  /// changes (BM-84).
  private static SidecarOptions ofDrives() {
    return SidecarOptions.DEFAULT.with(
        new CapacityOptions(
            SYSTEM,
            Optional.empty(),
            CapacityOptions.CENTRAL,
            false,
            CapacityOptions.USUAL_POLL,
            1,
            ANSWER));
  }

  private static DriverSidecars sidecars(
      Path driver, DriverNames names, Caches caches, Time time, SidecarMetrics metrics) {
    return sidecars(driver, names, caches, time, metrics, SidecarOptions.DEFAULT);
  }

  private static DriverSidecars sidecars(
      Path driver,
      DriverNames names,
      Caches caches,
      Time time,
      SidecarMetrics metrics,
      SidecarOptions options) {
    Recorders recorders =
        (api, sidecar, name) ->
            new ApiEventRecorder(api, time, sidecar.eventSource(name, "berth"), "");
    return new DriverSidecars(driver, names, caches, time, metrics, recorders, options);
  }

  /// How its own process reaches it, without a socket.
  private record Doors(Api api, PodLogs logs, List<String> troubles) {}

  /// What somebody of the control plane reads.
  private static final List<Kind<?>> KINDS =
      Stream.concat(Controllers.KINDS.stream(), DriverSidecars.KINDS.stream())
          .<Kind<?>>map(kind -> kind)
          .distinct()
          .toList();

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

  /// What is wrong with its pools though it is up, and what to do.
  public List<String> troubles() {
    return doors.troubles();
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
