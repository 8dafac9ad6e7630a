package dev.berth.node.identity;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.event.ApiEventRecorder;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.loop.Loop;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.loop.Pace;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.node.plugin.PluginRegistrations;
import dev.berth.node.plugin.Plugins;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeIdentityTest {
  private static final NodeFacts FACTS =
      new NodeFacts(
          "n", Map.of(), Map.of("pods", "110"), Map.of(), InetAddress.getLoopbackAddress());

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

  private static Loop<?> loop(
      Api api, Caches caches, SystemTime time, PluginRegistrations registrations) {
    var effects = new IdentityEffects(caches.api(), FACTS, registrations, time::now);
    var loop =
        new Loop<>(
            new Controller<>(new NodeIdentity(FACTS), effects),
            caches,
            Sources.of(new Plugins().source(), effects.source()),
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
