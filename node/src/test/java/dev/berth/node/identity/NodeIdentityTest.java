package dev.berth.node.identity;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Told;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.kube.value.Json;
import dev.berth.node.plugin.Plugin;
import dev.berth.node.plugin.PluginRegistrations;
import dev.berth.node.plugin.PluginVersion;
import dev.berth.node.plugin.Plugins;
import dev.berth.node.runtime.Images;
import dev.berth.node.testing.TestNode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeIdentityTest {
  private static final NodeFacts FACTS =
      new NodeFacts(
          "n", Map.of(), Map.of("pods", "110"), Map.of(), InetAddress.getLoopbackAddress());

  private static final Told<Images> IMAGES =
      new Told<>(
          Images.TOPIC,
          new Images(
              true,
              List.of(
                  new Images.Image(List.of("localhost/small:1"), 5),
                  new Images.Image(List.of("localhost/large:1"), 7))));

  @TempDir private Path folder;

  @Test // NCSN-01
  void theNodeIsReadyOnlyWhenItsCsiNodeIsThere() throws Exception {
    try (var server = EmbeddedApiServer.start(new MemoryStore());
        var time = new SystemTime("identity")) {
      var api = new LocalApi(server, Thread::startVirtualThread);
      var seen = new CopyOnWriteArrayList<ObjectNode>();
      var first = api.list(Resources.NODES, "", Selector.ALL).resourceVersion();
      try (var _ = api.watch(Resources.NODES, "", Selector.ALL, first, new Seen(seen));
          var caches =
              Caches.of(
                  api,
                  time,
                  List.of(Kinds.NODE, Kinds.CSI_NODE, Kinds.CSI_DRIVER, Kinds.ATTACHMENT));
          var registrations = new PluginRegistrations(folder, new Plugins(), time)) {
        var loop = loop(api, caches, time, registrations);
        await("ready").until(() -> seen.stream().anyMatch(NodeIdentityTest::ready));
        await("the images are told, the largest first")
            .until(() ->
                seen.getLast().at("/status/images/0/names/0").asText().equals("localhost/large:1")
                    && seen.getLast().at("/status/images/1/sizeBytes").asLong() == 5);
        loop.stop().get(10, TimeUnit.SECONDS);
      }
      assertThat(ready(seen.getFirst())).isFalse();
      assertThat(seen.getFirst().at("/status/conditions/3/message").asText())
          .isEqualTo("CSINode is not yet initialized");
      var csiNode = api.get(Resources.CSI_NODES, ObjectKey.cluster("n"));
      var ready = seen.stream().filter(NodeIdentityTest::ready).findFirst().orElseThrow();
      assertThat(version(ready)).isGreaterThan(version(csiNode));
    }
  }

  /// What the Node before it was told of, this one was not.
  @Test
  void aNodeThatIsMadeAnewHasTheImagesToo() throws Exception {
    try (var server = EmbeddedApiServer.start(new MemoryStore());
        var time = new SystemTime("identity")) {
      var api = new LocalApi(server, Thread::startVirtualThread);
      try (var caches =
              Caches.of(
                  api,
                  time,
                  List.of(Kinds.NODE, Kinds.CSI_NODE, Kinds.CSI_DRIVER, Kinds.ATTACHMENT));
          var registrations = new PluginRegistrations(folder, new Plugins(), time)) {
        var loop = loop(api, caches, time, registrations);
        await("the images are told").until(() -> images(api).isPresent());
        var first = images(api).orElseThrow();
        api.delete(Resources.NODES, ObjectKey.cluster("n"), DeleteOptions.uid(first));
        await("and told again")
            .atMost(30, TimeUnit.SECONDS)
            .until(() -> images(api).filter(uid -> !uid.equals(first)).isPresent());
        loop.stop().get(10, TimeUnit.SECONDS);
      }
    }
  }

  /// The uid of a Node that has images.
  private static Optional<String> images(Api api) {
    return api.list(Resources.NODES, "", Selector.ALL).items().stream()
        .filter(node -> node.at("/status/images/0").isObject())
        .map(node -> node.at("/metadata/uid").asText())
        .findFirst();
  }

  /// NCSN-07: somebody else's entry is not overwritten; the loop tries again, from what is there.
  @Test
  void whatAnotherWritesMeanwhileStays() throws Exception {
    try (var server = EmbeddedApiServer.start(new MemoryStore());
        var time = new SystemTime("identity");
        var registrations = new PluginRegistrations(folder, new Plugins(), time)) {
      var api = new LocalApi(server, Thread::startVirtualThread);
      api.create(
          Resources.CSI_NODES,
          (ObjectNode)
              TestNode.yaml(
                  """
                  apiVersion: storage.k8s.io/v1
                  kind: CSINode
                  metadata: {name: n}
                  spec: {drivers: []}
                  """));
      var effects = new IdentityEffects(overtaken(api), FACTS, registrations, time::now);
      var enter = new IdentityEffect.EnterDriver(plugin());
      assertThatThrownBy(() -> effects.carryOut(enter)).isInstanceOf(ApiException.LostRace.class);
      effects.carryOut(enter);
      assertThat(drivers(api)).containsExactly("rival.example", "d.example");
    }
  }

  private Plugin plugin() {
    return new Plugin(
        "d.example",
        folder.resolve("reg.sock"),
        folder.resolve("csi.sock"),
        new PluginVersion(1, 0, 0),
        "n-id",
        Map.of(),
        0,
        false,
        Instant.EPOCH);
  }

  private static List<String> drivers(Api api) {
    return Json.list(
        api.get(Resources.CSI_NODES, ObjectKey.cluster("n")).at("/spec/drivers"),
        driver -> Json.text(driver, "name"));
  }

  /// Somebody else writes between the agent's first read and its write.
  private static Api overtaken(Api api) {
    var first = new AtomicBoolean(true);
    return (Api)
        Proxy.newProxyInstance(
            Api.class.getClassLoader(),
            new Class<?>[] {Api.class},
            (_, method, arguments) -> {
              if (method.getName().equals("update") && first.getAndSet(false)) {
                var other = api.get(Resources.CSI_NODES, ObjectKey.cluster("n")).deepCopy();
                other
                    .withObject("/spec")
                    .withArray("/drivers")
                    .addObject()
                    .put("name", "rival.example")
                    .put("nodeID", "r")
                    .putArray("topologyKeys");
                api.update(Resources.CSI_NODES, other);
              }
              try {
                return method.invoke(api, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  private static Loop<?> loop(
      Api api, Caches caches, SystemTime time, PluginRegistrations registrations) {
    var effects = new IdentityEffects(caches.api(), FACTS, registrations, time::now);
    var loop =
        new Loop<>(
            new Controller<>(new NodeIdentity(FACTS), effects),
            caches,
            Sources.of(new Plugins().source(), effects.source(), effects.reported(), IMAGES),
            time,
            new ApiEventRecorder(api, time, "kubelet", "n"),
            Pace.CONTROLLER,
            new LoopMetrics(new PrometheusRegistry()));
    caches.start();
    loop.start();
    return loop;
  }

  private static boolean ready(ObjectNode node) {
    return node.at("/status/conditions/3/status").asText().equals("True");
  }

  private static long version(ObjectNode object) {
    return object.at("/metadata/resourceVersion").asLong();
  }

  private record Seen(List<ObjectNode> objects) implements Api.Watcher {
    @Override
    public void added(ObjectNode object) {
      objects.add(object);
    }

    @Override
    public void modified(ObjectNode object) {
      objects.add(object);
    }

    @Override
    public void deleted(ObjectNode object) {}

    @Override
    public void bookmark(String resourceVersion) {}

    @Override
    public void closed(boolean resumable) {}
  }
}
