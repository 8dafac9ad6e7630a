package dev.berth.node.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.node.NodeAgent;
import dev.berth.node.NodeScopes;
import dev.berth.node.Surroundings;
import dev.berth.node.driver.Drivers;
import dev.berth.node.identity.NodeFacts;
import dev.berth.node.pod.Equipment;
import dev.berth.node.pod.start.PodFiles;
import dev.berth.node.runtime.ContainerRuntime;
import dev.berth.node.stats.OperationMetrics;
import dev.berth.node.volume.VolumeFiles;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/// An API server with one node `n`, and the node's agent, which can be killed and started again.
public final class TestNode implements AutoCloseable {
  public static final String NAME = "n";

  private final EmbeddedApiServer server;
  private final LocalApi api;
  private final Drivers drivers = new Drivers();
  private final VolumeFiles volumeFiles;
  private final PodFiles podFiles;
  private final OperationMetrics operations = new OperationMetrics();
  private Optional<Running> running = Optional.empty();

  private record Running(NodeAgent agent, Caches caches, SystemTime time) {}

  public TestNode(VolumeFiles volumeFiles, PodFiles podFiles) throws Exception {
    this.volumeFiles = volumeFiles;
    this.podFiles = podFiles;
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, Thread::startVirtualThread);
    create(Resources.NODES, "metadata: {name: n}");
    // It issues no tokens.
    api.patch(
        Resources.SERVICE_ACCOUNTS,
        ObjectKey.of("default", "default"),
        Patch.merge(yaml("automountServiceAccountToken: false")));
  }

  public Api api() {
    return api;
  }

  public Drivers drivers() {
    return drivers;
  }

  /// What its agents have counted.
  public OperationMetrics operations() {
    return operations;
  }

  public NodeAgent agent() {
    return running.orElseThrow().agent();
  }

  public void start(ContainerRuntime runtime) throws Exception {
    var time = new SystemTime("test-node");
    var caches = new Caches(api, time, NodeScopes.of(NAME));
    var agent =
        new NodeAgent(
            NodeFacts.of(NAME),
            new Equipment(runtime, volumeFiles, podFiles),
            drivers,
            new Surroundings(
                    caches,
                    new ApiEventRecorder(api, time, "kubelet", NAME),
                    time,
                    new LoopMetrics(new PrometheusRegistry()))
                .withOperations(operations));
    agent.start();
    caches.start();
    running = Optional.of(new Running(agent, caches, time));
  }

  /// Ends the agent between two effects; what it knows in memory is lost.
  public void kill() {
    if (running.isEmpty()) return;
    var gone = running.get();
    running = Optional.empty();
    gone.agent().stop().orTimeout(20, TimeUnit.SECONDS).join();
    gone.caches().close();
    gone.time().close();
  }

  public ObjectNode create(Resource resource, String yaml) {
    var object = (ObjectNode) yaml(yaml);
    object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
    return api.create(resource, object);
  }

  public void patchStatus(Resource resource, String name, String yaml) {
    api.patchStatus(resource, ObjectKey.cluster(name), Patch.merge(yaml(yaml)));
  }

  /// A bound claim `default/NAME` with the volume `pv-NAME`, whose handle is `handle`.
  public void bind(String name, String handle) {
    bind(name, handle, Map.of());
  }

  /// [#bind] with what the driver told of the volume.
  ///
  /// @param attributes the volume's, as the driver told them
  public void bind(String name, String handle, Map<String, String> attributes) {
    bind(
        name,
        handle,
        source ->
            attributes.forEach(
                (key, value) -> source.withObject("/volumeAttributes").put(key, value)));
  }

  /// [#bind] with a source that says more.
  ///
  /// @param more changes the volume's `spec.csi` before the volume is created
  public void bind(String name, String handle, Consumer<ObjectNode> more) {
    bind(name, handle, "Filesystem", more);
  }

  /// A claim of a device, as [#bind].
  ///
  /// @param attributes the volume's, as the driver told them
  public void bindDevice(String name, String handle, Map<String, String> attributes) {
    bind(
        name,
        handle,
        "Block",
        source -> {
          source.remove("fsType");
          attributes.forEach(
              (key, value) -> source.withObject("/volumeAttributes").put(key, value));
        });
  }

  private void bind(String name, String handle, String mode, Consumer<ObjectNode> more) {
    var claim =
        create(
            Resources.CLAIMS,
            """
            metadata: {namespace: default, name: %s}
            spec:
              accessModes: [ReadWriteOnce]
              volumeMode: %s
              resources: {requests: {storage: 64Mi}}
              volumeName: pv-%s
            """
                .formatted(name, mode, name));
    var volume =
        (ObjectNode)
            yaml(
                """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv-%s}
                spec:
                  capacity: {storage: 64Mi}
                  accessModes: [ReadWriteOnce]
                  volumeMode: %s
                  claimRef: {namespace: default, name: %s, uid: %s}
                  csi: {driver: disk.berth.dev, volumeHandle: "%s", fsType: ext4}
                """
                    .formatted(
                        name, mode, name, claim.path("metadata").path("uid").asText(), handle));
    more.accept((ObjectNode) volume.path("spec").path("csi"));
    api.create(Resources.VOLUMES, volume);
    api.patchStatus(
        Resources.CLAIMS,
        ObjectKey.of("default", name),
        Patch.merge(yaml("status: {phase: Bound}")));
  }

  /// What attach/detach controller and attacher do for a volume that is reported in use.
  public void attach(String name, String handle) {
    attach(name, handle, Map.of("device", "loop7"));
  }

  /// [#attach] with what the driver told.
  ///
  /// @param metadata what the driver told when it attached the volume
  public void attach(String name, String handle, Map<String, String> metadata) {
    var unique = new VolumeName(MemoryDriver.NAME, handle);
    await("volumesInUse has " + unique)
        .until(() -> node().path("status").path("volumesInUse").toString().contains(handle));
    create(
        Resources.ATTACHMENTS,
        """
        metadata: {name: %s}
        spec: {attacher: disk.berth.dev, nodeName: n, source: {persistentVolumeName: pv-%s}}
        """
            .formatted(unique.attachment(NAME), name));
    var status = JsonNodeFactory.instance.objectNode();
    var told = status.putObject("status").put("attached", true).putObject("attachmentMetadata");
    metadata.forEach(told::put);
    api.patchStatus(
        Resources.ATTACHMENTS, ObjectKey.cluster(unique.attachment(NAME)), Patch.merge(status));
    patchStatus(
        Resources.NODES,
        NAME,
        "status: {volumesAttached: [{name: \"%s\", devicePath: \"\"}]}".formatted(unique));
  }

  public ObjectNode node() {
    return api.get(Resources.NODES, ObjectKey.cluster(NAME));
  }

  /// The pod, if it is there.
  public Optional<ObjectNode> pod(String name) {
    try {
      return Optional.of(api.get(Resources.PODS, ObjectKey.of("default", name)));
    } catch (ApiException missing) {
      if (missing.isNotFound()) return Optional.empty();
      throw missing;
    }
  }

  public ObjectNode awaitPod(String name, String what, Predicate<ObjectNode> test) {
    await("pod " + name + ": " + what).until(() -> pod(name).filter(test).isPresent());
    return pod(name).orElseThrow();
  }

  public ObjectNode awaitPhase(String name, String phase) {
    return awaitPod(name, phase, pod -> pod.path("status").path("phase").asText().equals(phase));
  }

  public void awaitGone(String name) {
    await("pod " + name + " is gone").until(() -> pod(name).isEmpty());
  }

  public static org.awaitility.core.ConditionFactory await(String what) {
    return Awaitility.await(what)
        .atMost(Duration.ofMinutes(1)) // a busy machine is no failure
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5));
  }

  public static JsonNode yaml(String text) {
    try {
      return new ObjectMapper(new YAMLFactory()).readTree(text);
    } catch (JsonProcessingException broken) {
      throw new IllegalStateException(broken);
    }
  }

  @Override
  public void close() {
    kill();
    server.close();
  }
}
