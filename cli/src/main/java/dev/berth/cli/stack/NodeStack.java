package dev.berth.cli.stack;

import dev.berth.cli.home.Home;
import dev.berth.csi.registrar.Registrar;
import dev.berth.driver.DriverServer;
import dev.berth.driver.disk.DiskDriver;
import dev.berth.driver.disk.DiskOptions;
import dev.berth.driver.spi.Readiness;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.lease.Heartbeat;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Sources;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.time.Time;
import dev.berth.linux.mount.Mounts;
import dev.berth.node.NodeAgent;
import dev.berth.node.NodeDeciders;
import dev.berth.node.Surroundings;
import dev.berth.node.driver.Connections;
import dev.berth.node.driver.Drivers;
import dev.berth.node.identity.IdentityEffects;
import dev.berth.node.layout.Layout;
import dev.berth.node.plugin.PluginRegistrations;
import dev.berth.node.plugin.Plugins;
import dev.berth.node.pod.Equipment;
import dev.berth.node.pod.disk.KubeletPodFiles;
import dev.berth.node.pod.log.ContainerLogs;
import dev.berth.node.pod.log.LogLayout;
import dev.berth.node.runtime.HostRuntime;
import dev.berth.node.volume.disk.KubeletFiles;
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

/// One node of the machine: the disk driver's node service, its registrar, and the node agent,
/// which knows of the driver only by its socket.
final class NodeStack implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeStack.class);
  private static final int GRACE_SECONDS = 10;

  /// What containers get to end, whatever their pods say; unmounting comes after.
  private static final Duration GRACE = Duration.ofSeconds(30);

  /// What drivers get to register, or to think better of it.
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final int DRAIN_SECONDS = 90;

  /// How long a node is believed to live after its last heartbeat, as with a kubelet.
  private static final Duration LEASE = Duration.ofSeconds(40);

  private final Closing closing = new Closing();
  private final NodeAgent agent;
  private final Path socket;
  private final ContainerLogs logs;
  private final String trouble;

  private NodeStack(
      Home home,
      String name,
      boolean controls,
      Caches caches,
      Time time,
      LoopMetrics metrics,
      Optional<InetSocketAddress> server)
      throws IOException, InterruptedException {
    var layout = new Layout(home.kubelet(name));
    Files.createDirectories(layout.root());
    socket = layout.driver(DiskDriver.NAME).resolve("csi.sock");
    Files.createDirectories(socket.getParent());
    var events = new ApiEventRecorder(caches.api(), time, "kubelet", name);

    var driver = closing.add(DiskDriver.open(DiskOptions.of(List.of(home.pool()), name)));
    trouble = driver.readiness() instanceof Readiness.Broken(var why) ? why : "";
    var services =
        controls
            ? DriverServer.Options.all()
            : DriverServer.Options.of(Set.of(DriverServer.Service.NODE));
    closing.add(DriverServer.start(socket, driver, services));

    // Containers see the home empty: it holds the keys of the API server.
    var runtime = closing.add(HostRuntime.open(layout, List.of(home.folder())));
    var set = new Plugins();
    var drivers = new Drivers();
    var facts = Machine.facts(name);
    var registrations = closing.add(new PluginRegistrations(layout.registry(), set, time));
    closing.add(new Connections(set, drivers));
    var loops = closing.add(new Loops(caches, time, metrics));
    loops.start(
        new Controller<>(
            NodeDeciders.of(facts).identity(),
            new IdentityEffects(caches.api(), facts, registrations, time::now)),
        Sources.of(set.source()),
        events);
    closing.add(new Heartbeat(caches.api(), LeaseNames.node(name), name, LEASE, time)).start();

    var logLayout = new LogLayout(home.podLogs());
    logs = new ContainerLogs(logLayout, runtime);
    var mounts = Mounts.ofThisMachine();
    var around = new Surroundings(caches, events, time, metrics);
    agent =
        new NodeAgent(
            facts,
            new Equipment(
                runtime,
                new KubeletFiles(layout, name, mounts),
                new KubeletPodFiles(layout, logLayout, mounts)),
            drivers,
            server.map(around::withServer).orElse(around));
    // Closed after the agent: unmounting needs the driver to the last.
    var registrar =
        closing.add(new Registrar(DiskDriver.NAME, layout.registry(), socket.toString()));
    closing.add(this::stopAgent);
    agent.start();
    registrations.start();
    registrar.start();
  }

  /// @param controls whether the driver here also serves the controller's side
  /// @param server where pods reach the API server; empty: there is none any more
  static NodeStack start(
      Home home,
      String name,
      boolean controls,
      Caches caches,
      Time time,
      LoopMetrics metrics,
      Optional<InetSocketAddress> server)
      throws IOException, InterruptedException {
    return new NodeStack(home, name, controls, caches, time, metrics.part(name), server);
  }

  /// The driver's own socket.
  Path socket() {
    return socket;
  }

  /// What is wrong with the disk driver's pool, and what to do; empty: nothing.
  String trouble() {
    return trouble;
  }

  /// What its containers have written.
  ContainerLogs logs() {
    return logs;
  }

  private void stopAgent() throws InterruptedException {
    try {
      var left = agent.drain(GRACE, PATIENCE).get(DRAIN_SECONDS, TimeUnit.SECONDS);
      left.forEach((volume, why) -> log.warn("{} stays mounted: {}", volume, why));
    } catch (TimeoutException | ExecutionException late) {
      log.warn("after {} s still mounted: {}", DRAIN_SECONDS, agent.mounted().volumes().keySet());
    }
    var stopped = agent.stop().completeOnTimeout(null, GRACE_SECONDS, TimeUnit.SECONDS);
    stopped.join();
    log.info("node agent stopped");
  }

  @Override
  public void close() {
    closing.close();
  }
}
