package dev.berth.sidecar;

import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.lease.Terms;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.sidecar.metric.SidecarMetrics;
import dev.berth.sidecar.testing.SmallDriver;
import dev.berth.sidecar.testing.SocketDriver;
import dev.berth.sidecar.testing.Tree;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// ONE-18 to ONE-20, ONE-30: the sidecars of one driver in several processes, of which one acts.
class ElectedSidecarsTest {
  private static final String SHOP = "{\"apiVersion\": \"v1\", \"kind\": \"Namespace\"}";
  private static final Terms SHORT =
      new Terms(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500));

  @TempDir Path folder;

  private final SystemTime time = new SystemTime("sidecars-test");
  private final SmallDriver driver = new SmallDriver();
  private EmbeddedApiServer server;
  private Api api;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, time::start);
    create(Tree.of(SHOP).named("shop"));
    create(storageClass());
  }

  @AfterEach
  void stop() {
    server.close();
    time.close();
  }

  /// What one pod of a driver's controller runs.
  private final class Process implements AutoCloseable {
    final Caches caches = Caches.of(api, time, DriverSidecars.KINDS);
    final DriverSidecars sidecars;

    Process(String name) {
      caches.start();
      sidecars =
          new DriverSidecars(
              folder.resolve("csi.sock"),
              new DriverNames(),
              caches,
              time,
              metrics(),
              Recorders.SILENT,
              SidecarOptions.DEFAULT.under(
                  new Leadership.Elected(api, "default", name, Map.of(), SHORT)));
      sidecars.start();
    }

    @Override
    public void close() {
      sidecars.close();
      caches.close();
    }
  }

  private PrometheusRegistry registry = new PrometheusRegistry();

  private SidecarMetrics metrics() {
    registry = new PrometheusRegistry();
    return new SidecarMetrics(new LoopMetrics(registry), registry);
  }

  private void create(Tree tree) {
    api.create(tree.resource(), tree.without("metadata", "resourceVersion").json());
  }

  private Optional<ObjectNode> lease(String name) {
    return api
        .list(Resources.LEASES, "default", Selector.fields("metadata.name=" + name))
        .items()
        .stream()
        .findFirst();
  }

  private void awaitHolder(String name) {
    for (var lease :
        new String[] {LeaseNames.provisioner(PLAIN.name()), LeaseNames.attacher(PLAIN.name())})
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() ->
              lease(lease)
                  .filter(it -> it.at("/spec/holderIdentity").asText().equals(name))
                  .isPresent());
  }

  private void awaitVolumes(int count) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> api.list(Resources.VOLUMES, "", Selector.ALL).items().size() == count);
  }

  @Test
  void oneActsAndTheOtherTakesOverWhenItEnds() throws Exception { // PROV-172, ATT-91
    try (var _ = new SocketDriver(folder.resolve("csi.sock"), PLAIN, driver);
        var first = new Process("first")) {
      awaitHolder("first");
      try (var second = new Process("second")) {
        create(claim().named("one"));
        awaitVolumes(1);
        awaitHolder("first");
        first.close();
        awaitHolder("second");
        create(claim().named("two"));
        awaitVolumes(2);
      }
      awaitHolder(""); // given up, not run out
    }
    assertThat(driver.volumes()).hasSize(2);
  }

  @Test
  void upstreamsOwnSidecarKeepsOursOutAsLongAsItRenewsItsLease() throws Exception {
    var key = ObjectKey.of("default", LeaseNames.provisioner(PLAIN.name()));
    var held = JsonNodeFactory.instance.objectNode();
    held.put("apiVersion", Resources.LEASES.apiVersion()).put("kind", Resources.LEASES.kind());
    held.putObject("metadata").put("namespace", key.namespace()).put("name", key.name());
    held.putObject("spec")
        .put("holderIdentity", "csi-provisioner-0")
        .put("leaseDurationSeconds", 3600);
    api.create(Resources.LEASES, held);
    try (var _ = new SocketDriver(folder.resolve("csi.sock"), PLAIN, driver);
        var _ = new Process("ours")) {
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> lease(LeaseNames.attacher(PLAIN.name())).isPresent()); // nobody has this one
      create(claim());
      assertThat(driver.volumes()).isEmpty();
      merge(key, 1); // it would have run out by now, had it not been renewed for so long
      awaitVolumes(1);
    }
  }

  /// ONE-19: what was under way when the Lease was lost ends, and leaves nothing in the API: the
  /// next leader finds the volume by its name.
  @Test
  void aCallThatEndsAfterTheLeaseIsLostWritesNothing() throws Exception {
    var asked = new CountDownLatch(1);
    var answer = new CountDownLatch(1);
    driver.answers(volume -> {
      asked.countDown();
      try {
        answer.await();
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
      }
      return volume;
    });
    var lease = ObjectKey.of("default", LeaseNames.provisioner(PLAIN.name()));
    try (var _ = new SocketDriver(folder.resolve("csi.sock"), PLAIN, driver)) {
      var ours = new Process("ours");
      create(claim());
      asked.await();
      var stolen = JsonNodeFactory.instance.objectNode();
      stolen.putObject("spec").put("holderIdentity", "thief").put("leaseDurationSeconds", 3600);
      api.patch(Resources.LEASES, lease, Patch.merge(stolen));
      await().atMost(Duration.ofSeconds(30)).until(() -> !leads(lease.name()));
      answer.countDown();
      ours.close(); // waits for what runs
    }
    assertThat(driver.volumes()).hasSize(1);
    assertThat(api.list(Resources.VOLUMES, "", Selector.ALL).items()).isEmpty();
    assertThat(lease(lease.name()).orElseThrow().at("/spec/holderIdentity").asText())
        .isEqualTo("thief");
  }

  private boolean leads(String lease) {
    return registry.scrape(name -> name.equals("leader_election_master_status")).stream()
        .flatMap(metric -> metric.getDataPoints().stream())
        .map(GaugeSnapshot.GaugeDataPointSnapshot.class::cast)
        .anyMatch(it -> lease.equals(it.getLabels().get("name")) && it.getValue() == 1);
  }

  private void merge(ObjectKey key, int seconds) {
    var patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("spec").put("leaseDurationSeconds", seconds);
    api.patch(Resources.LEASES, key, Patch.merge(patch));
  }
}
