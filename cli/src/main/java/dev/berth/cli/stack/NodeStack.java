package dev.berth.cli.stack;

import dev.berth.cli.home.Home;
import dev.berth.csi.registrar.Registrar;
import dev.berth.driver.DriverServer;
import dev.berth.driver.disk.DiskDriver;
import dev.berth.driver.disk.DiskOptions;
import dev.berth.driver.spi.Readiness;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.time.Time;
import dev.berth.node.layout.Layout;
import dev.berth.node.pod.log.ContainerLogs;
import dev.berth.node.pod.log.LogLayout;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.runtime.host.HostRuntime;
import dev.berth.node.runtime.host.ImportedImages;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One node of the machine: the drivers' node services, their registrars, and the node agent, which
/// knows of the drivers only by their sockets.
final class NodeStack implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeStack.class);

  /// What containers get to end, whatever their pods say; unmounting comes after.
  private static final Duration GRACE = Duration.ofSeconds(30);

  /// What drivers get to register, or to think better of it.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int DRAIN_SECONDS = 90;

  /// As often as a kubelet asks drivers about volumes.
  private static final Duration STATS = Duration.ofMinutes(1);

  private final Closing closing = new Closing();
  private final NodeParts parts;
  private final Path socket;
  private final String trouble;
  private final Optional<LocalDrives> localDrives;

  /// Which node it is to be.
  ///
  /// @param controls whether the drivers here also serve the controller's side
  /// @param drives file of its drives, for the bare-metal driver; empty: it has none
  record Plan(Home home, String name, boolean controls, Optional<Path> drives) {}

  private NodeStack(
      Plan plan, Caches caches, Time time, LoopMetrics metrics, Optional<InetSocketAddress> server)
      throws IOException, InterruptedException {
    var home = plan.home;
    var name = plan.name;
    var layout = new Layout(home.kubelet(name));
    Files.createDirectories(layout.root());
    socket = layout.driver(DiskDriver.NAME).resolve("csi.sock");
    Files.createDirectories(socket.getParent());
    var driver = closing.add(DiskDriver.open(DiskOptions.of(List.of(home.pool()), name)));
    trouble = driver.readiness() instanceof Readiness.Broken(var why) ? why : "";
    var services =
        plan.controls
            ? DriverServer.Options.all()
            : DriverServer.Options.of(Set.of(DriverServer.Service.NODE));
    closing.add(DriverServer.start(socket, driver, services));

    // Containers see the home empty: it holds the keys of the API server.
    var runtime = HostRuntime.open(layout, List.of(home.folder()), images(home));
    var place = new NodeParts.Place(layout, new LogLayout(home.podLogs()));
    parts =
        closing.add(
            new NodeParts(Machine.facts(name), place, runtime, caches, time, metrics, server));
    // Closed after the agent: unmounting needs the drivers to the last.
    localDrives =
        plan.drives.isPresent()
            ? Optional.of(closing.add(LocalDrives.open(plan, plan.drives.get(), layout, caches)))
            : Optional.empty();
    var registrar =
        closing.add(new Registrar(DiskDriver.NAME, layout.registry(), socket.toString()));
    closing.add(this::stopAgent);
    parts.start();
    parts.stats().start(STATS);
    registrar.start();
    if (localDrives.isPresent()) localDrives.get().register();
  }

  /// @param server where pods reach the API server; empty: there is none any more
  static NodeStack start(
      Plan plan, Caches caches, Time time, LoopMetrics metrics, Optional<InetSocketAddress> server)
      throws IOException, InterruptedException {
    return new NodeStack(plan, caches, time, metrics.part(plan.name), server);
  }

  /// The driver's own socket.
  Path socket() {
    return socket;
  }

  /// The bare-metal driver's; empty: there is none.
  Optional<Path> bareMetalSocket() {
    return localDrives.map(LocalDrives::socket);
  }

  /// What is wrong with the disk driver's pool, and what to do; empty: nothing.
  String trouble() {
    return trouble;
  }

  /// What its containers have written.
  ContainerLogs logs() {
    return parts.logs();
  }

  /// Its containers.
  ContainerRuntime runtime() {
    return parts.runtime();
  }

  private static ImportedImages images(Home home) {
    return new ImportedImages(home.images(), "--home " + home.folder());
  }

  private void stopAgent() throws InterruptedException {
    var agent = parts.agent();
    try {
      var left = agent.drain(GRACE, PATIENCE).get(DRAIN_SECONDS, TimeUnit.SECONDS);
      left.forEach((volume, why) -> log.warn("{} stays mounted: {}", volume, why));
    } catch (TimeoutException | ExecutionException late) {
      log.warn("after {} s still mounted: {}", DRAIN_SECONDS, agent.mounted().volumes().keySet());
    }
    parts.stop();
    log.info("node agent stopped");
  }

  @Override
  public void close() {
    closing.close();
  }
}
