package dev.berth.cli.stack;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.lease.Heartbeat;
import dev.berth.kube.lease.Rivals;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.Time;
import dev.berth.kube.value.Json;
import dev.berth.linux.mount.Mounts;
import dev.berth.node.NodeAgent;
import dev.berth.node.NodeDeciders;
import dev.berth.node.Surroundings;
import dev.berth.node.driver.Connections;
import dev.berth.node.driver.Drivers;
import dev.berth.node.identity.IdentityEffects;
import dev.berth.node.identity.NodeFacts;
import dev.berth.node.layout.Layout;
import dev.berth.node.plugin.PluginMetrics;
import dev.berth.node.plugin.PluginRegistrations;
import dev.berth.node.plugin.Plugins;
import dev.berth.node.pod.Equipment;
import dev.berth.node.pod.disk.KubeletPodFiles;
import dev.berth.node.pod.log.ContainerLogs;
import dev.berth.node.pod.log.LogLayout;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.stats.OperationMetrics;
import dev.berth.node.stats.VolumeMetrics;
import dev.berth.node.stats.VolumeStats;
import dev.berth.node.volume.disk.KubeletFiles;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// All that one node needs besides drivers: the agent, its runtime, the registration of plugins,
/// the Node's identity and its Lease. A stack has some of them, `berth node` is one.
public final class NodeParts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(NodeParts.class);

  /// How long a node is believed to live after its last heartbeat, as with a kubelet.
  private static final Duration LEASE = Duration.ofSeconds(40);

  private static final int GRACE_SECONDS = 10;

  /// Where a node has its files.
  public record Place(Layout layout, LogLayout logs) {}

  private final Closing closing = new Closing();
  private final NodeAgent agent;
  private final PluginRegistrations registrations;
  private final Plugins plugins = new Plugins();
  private final ContainerLogs logs;
  private final ContainerRuntime runtime;
  private final NodeDoor door;
  private final VolumeStats stats;
  private final OperationMetrics operations = new OperationMetrics();

  /// Tells the API who the node is as soon as the caches are filled, and does nothing else yet.
  ///
  /// @param runtime of its containers, closed with the parts
  /// @param server where pods reach the API server; empty: they are not told
  /// @throws IOException if the node's directories cannot be used
  public NodeParts(
      NodeFacts facts,
      Place place,
      ContainerRuntime runtime,
      Caches caches,
      Time time,
      LoopMetrics metrics,
      Optional<InetSocketAddress> server)
      throws IOException {
    var events = new ApiEventRecorder(caches.api(), time, "kubelet", facts.name());
    try {
      this.runtime = runtime;
      closing.add(runtime);
      logs = new ContainerLogs(place.logs(), runtime);
      door = new NodeDoor(caches.api(), facts.name(), runtime, logs);
      registrations =
          closing.add(new PluginRegistrations(place.layout().registry(), plugins, time));
      var around = new Surroundings(caches, events, time, metrics).withOperations(operations);
      var drivers = new Drivers();
      var volumes = new KubeletFiles(place.layout(), facts.name(), Mounts.ofThisMachine());
      agent = agent(facts, place, drivers, volumes, around, server);
      stats =
          closing.add(
              new VolumeStats(drivers, volumes, agent::mounted, caches::snapshot, events, time));
    } catch (Throwable failed) {
      closing.close();
      throw failed;
    }
  }

  private NodeAgent agent(
      NodeFacts facts,
      Place place,
      Drivers drivers,
      KubeletFiles volumes,
      Surroundings around,
      Optional<InetSocketAddress> server)
      throws IOException {
    closing.add(new Connections(plugins, drivers, operations));
    introduce(facts, place, around);
    return new NodeAgent(
        facts,
        new Equipment(
            runtime,
            volumes,
            new KubeletPodFiles(place.layout(), place.logs(), Mounts.ofThisMachine())),
        drivers,
        server.map(around::withServer).orElse(around));
  }

  private void introduce(NodeFacts facts, Place place, Surroundings around) {
    var loops = closing.add(new Loops(around.caches(), around.time(), around.metrics()));
    var api = around.caches().api();
    var identity = new IdentityEffects(api, facts, registrations, around.time()::now);
    loops.start(
        new Controller<>(NodeDeciders.of(facts).identity(), identity),
        Sources.of(plugins.source(), identity.source(), identity.reported(), runtime.images()),
        around.events());
    var lease = LeaseNames.node(facts.name());
    closing
        .add(
            new Heartbeat(
                api,
                lease,
                facts.name(),
                LEASE,
                around.time(),
                () -> owner(api, facts.name()),
                Optional.of(rivals(facts, place, around))))
        .start();
  }

  /// Two agents of one name below two roots do not see each other's files, but the Lease of both.
  private static Rivals rivals(NodeFacts facts, Place place, Surroundings around) {
    var self = "%s below %s".formatted(facts.address().getHostAddress(), place.layout().root());
    var node = Kinds.NODE.ref(ObjectKey.cluster(facts.name()));
    return new Rivals(
        self,
        words -> {
          log.warn("node {}: {}", facts.name(), words);
          around.events().tell(Notice.warning(node, Reasons.ANOTHER_AGENT, words));
        });
  }

  /// A Lease goes with its Node.
  private static Optional<ObjectNode> owner(Api api, String name) {
    try {
      var uid =
          Json.text(api.get(Resources.NODES, ObjectKey.cluster(name)).path("metadata"), "uid");
      return Optional.of(
          JsonNodeFactory.instance
              .objectNode()
              .put("apiVersion", Resources.NODES.apiVersion())
              .put("kind", Resources.NODES.kind())
              .put("name", name)
              .put("uid", uid));
    } catch (ApiException notYet) {
      return Optional.empty();
    }
  }

  /// Begins to work on volumes and pods, and to hear of drivers.
  public void start() {
    agent.start();
    registrations.start();
  }

  /// Of volumes and pods.
  NodeAgent agent() {
    return agent;
  }

  /// Its containers.
  ContainerRuntime runtime() {
    return runtime;
  }

  /// What its containers have written.
  ContainerLogs logs() {
    return logs;
  }

  /// What drivers say of the volumes here, once it is started.
  public VolumeStats stats() {
    return stats;
  }

  /// Its pods, for who asks the node itself.
  public NodeDoor door() {
    return door;
  }

  /// Shows what is known of drivers and their volumes.
  public void measure(PrometheusRegistry registry) {
    VolumeMetrics.register(stats, registry);
    PluginMetrics.register(registrations, plugins, registry);
    operations.register(registry, agent::wantedByDriver, agent::mountedByDriver);
  }

  /// The drivers that have registered.
  public Plugins plugins() {
    return plugins;
  }

  /// Starts nothing more; containers and mounts stay (NSHT-03). What is under way gets a moment.
  public void stop() {
    agent.stop().completeOnTimeout(null, GRACE_SECONDS, TimeUnit.SECONDS).join();
  }

  /// After [#stop].
  @Override
  public void close() {
    closing.close();
  }
}
