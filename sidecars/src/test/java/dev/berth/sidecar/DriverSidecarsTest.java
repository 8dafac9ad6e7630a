package dev.berth.sidecar;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.attachment;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.csiNode;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.berth.apiserver.EmbeddedApiServer;
import dev.berth.apiserver.local.LocalApi;
import dev.berth.apiserver.store.MemoryStore;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.api.Selector;
import dev.berth.kube.cache.Caches;
import dev.berth.kube.loop.LoopMetrics;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resource;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.sidecar.metric.SidecarMetrics;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.testing.SmallDriver;
import dev.berth.sidecar.testing.SocketDriver;
import dev.berth.sidecar.testing.Tree;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// All sidecars of a driver behind a real socket, on the real API, on real threads.
class DriverSidecarsTest {
  @TempDir Path folder;

  private final SystemTime time = new SystemTime("sidecars-test");
  private final SmallDriver driver = new SmallDriver();
  private final DriverNames names = new DriverNames();
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final SidecarMetrics metrics = new SidecarMetrics(new LoopMetrics(registry), registry);
  private EmbeddedApiServer server;
  private Api api;
  private Caches caches;
  private DriverSidecars sidecars;

  @BeforeEach
  void start() throws Exception {
    server = EmbeddedApiServer.start(new MemoryStore());
    api = new LocalApi(server, time::start);
    caches = Caches.of(api, time, DriverSidecars.KINDS);
    caches.start();
    sidecars = sidecars(socket());
    sidecars.start();
    create(Tree.of("{\"apiVersion\": \"v1\", \"kind\": \"Namespace\"}").named("shop"));
    create(storageClass());
  }

  @AfterEach
  void stop() {
    sidecars.close();
    caches.close();
    server.close();
    time.close();
  }

  private DriverSidecars sidecars(Path path) {
    return new DriverSidecars(
        path, names, caches, time, metrics, Recorders.SILENT, SidecarOptions.DEFAULT);
  }

  @Test
  void twoSocketsOfOneNameAreOneDriver() throws Exception {
    var second = folder.resolve("again.sock");
    try (var others = sidecars(second)) {
      try (var _ = new SocketDriver(socket(), PLAIN, driver)) {
        assertThat(serving().driver()).isEqualTo(PLAIN);
        try (var _ = new SocketDriver(second, PLAIN, driver)) {
          others.start();
          await()
              .atMost(Duration.ofSeconds(20))
              .until(() ->
                  others.contact() instanceof Contact.Seeking(_, var why)
                      && why.equals(
                          "driver %s is served through %s".formatted(PLAIN.name(), socket())));
          sidecars.close(); // its driver has not gone
          await()
              .atMost(Duration.ofSeconds(20))
              .until(() -> others.contact() instanceof Contact.Serving);
          create(claim());
          await().atMost(Duration.ofSeconds(20)).until(() -> volumes().size() == 1);
        }
      }
    }
  }

  private Path socket() {
    return folder.resolve("csi.sock");
  }

  private void create(Tree tree) {
    api.create(tree.resource(), tree.without("metadata", "resourceVersion").json());
  }

  private List<Volume> volumes() {
    return api.list(Resources.VOLUMES, "", Selector.ALL).items().stream()
        .map(Kinds.VOLUME.read())
        .toList();
  }

  private Contact.Serving serving() {
    return await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> sidecars.contact() instanceof Contact.Serving it ? it : null, it -> it != null);
  }

  private void merge(Resource resource, ObjectKey key, String json) {
    api.patchStatus(resource, key, Patch.merge(Tree.of(json).json()));
  }

  @Test
  void aVolumesLifeOverARealSocket() throws Exception {
    try (var _ = new SocketDriver(socket(), PLAIN, driver)) {
      assertThat(serving().driver()).isEqualTo(PLAIN);
      create(csiNode("n1"));
      create(claim());
      await().atMost(Duration.ofSeconds(20)).until(() -> volumes().size() == 1);
      var volume = volumes().getFirst();

      create(attachment().with(volume.meta().name(), "spec", "source", "persistentVolumeName"));
      await().atMost(Duration.ofSeconds(20)).until(() -> !driver.published().isEmpty());
      api.delete(Resources.ATTACHMENTS, ObjectKey.cluster("va-1"), DeleteOptions.DEFAULT);
      await().atMost(Duration.ofSeconds(20)).until(() -> driver.published().isEmpty());

      merge(Resources.VOLUMES, volume.meta().key(), "{\"status\": {\"phase\": \"Released\"}}");
      await().atMost(Duration.ofSeconds(20)).until(() -> driver.volumes().isEmpty());
    }
  }

  @Test
  void aLostDriverIsSoughtAndAskedAnew() throws Exception { // PROV-04, ATT-08, RSZ-05
    try (var _ = new SocketDriver(socket(), PLAIN, driver)) {
      assertThat(serving().driver()).isEqualTo(PLAIN);
    }
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> sidecars.contact() instanceof Contact.Seeking);
    create(claim());
    assertThat(volumes()).isEmpty();

    var changed = driver(CREATE_DELETE_VOLUME);
    try (var _ = new SocketDriver(socket(), changed, driver)) {
      assertThat(serving().driver()).isEqualTo(changed);
      await().atMost(Duration.ofSeconds(20)).until(() -> volumes().size() == 1);
    }
  }

  @Test
  void leasesSayWhetherADriverIsServed() throws Exception { // XPL-08
    try (var _ = new SocketDriver(socket(), PLAIN, driver)) {
      var name = serving().driver().name();
      for (var lease : List.of(LeaseNames.provisioner(name), LeaseNames.attacher(name)))
        await().atMost(Duration.ofSeconds(20)).until(() -> isHeld(lease));
    }
    for (var lease :
        List.of(LeaseNames.provisioner(PLAIN.name()), LeaseNames.attacher(PLAIN.name())))
      await().atMost(Duration.ofSeconds(20)).until(() -> !isHeld(lease));
  }

  private boolean isHeld(String lease) {
    return api
        .list(Resources.LEASES, LeaseNames.SYSTEM, Selector.fields("metadata.name=" + lease))
        .items()
        .stream()
        .map(Kinds.LEASE.read())
        .anyMatch(it -> it.isHeld(time.now()));
  }

  /// PROV-185, ATT-92, RSZ-97: under upstream's name, labels and bounds.
  @Test
  void eachCallIsMeasured() throws Exception {
    try (var _ = new SocketDriver(socket(), PLAIN, driver)) {
      serving();
      create(claim());
      await().atMost(Duration.ofSeconds(20)).until(() -> volumes().size() == 1);
    }
    var points =
        registry.scrape(name -> name.equals("csi_sidecar_operations_seconds")).stream()
            .flatMap(metric -> metric.getDataPoints().stream())
            .map(HistogramSnapshot.HistogramDataPointSnapshot.class::cast)
            .toList();
    assertThat(points)
        .extracting(point -> point.getLabels().toString())
        .contains(
            "{driver_name=\"%s\",grpc_status_code=\"OK\",method_name=\"/csi.v1.Controller/CreateVolume\"}"
                .formatted(PLAIN.name()),
            "{driver_name=\"unknown-driver\",grpc_status_code=\"OK\",method_name=\"/csi.v1.Identity/Probe\"}",
            "{driver_name=\"unknown-driver\",grpc_status_code=\"OK\",method_name=\"/csi.v1.Identity/GetPluginInfo\"}",
            // by name from then on, as upstream's
            "{driver_name=\"%s\",grpc_status_code=\"OK\",method_name=\"/csi.v1.Controller/ControllerGetCapabilities\"}"
                .formatted(PLAIN.name()));
    assertThat(points.getFirst().getClassicBuckets().size()).isEqualTo(14);
  }

  @Test
  void aDriverWithNothingToDoForIsTold() throws Exception { // RSZ-04, HM-01
    var told = new CompletableFuture<String>();
    var path = folder.resolve("idle.sock");
    var options = SidecarOptions.DEFAULT.choosing(Set.of(Sidecar.RESIZER, Sidecar.HEALTH_MONITOR));
    try (var idle =
            new DriverSidecars(path, names, caches, time, metrics, Recorders.SILENT, options);
        var _ = new SocketDriver(path, driver(CREATE_DELETE_VOLUME), driver)) {
      idle.start(told::complete);
      assertThat(told.get(20, TimeUnit.SECONDS))
          .contains(
              "resizer off (the driver lacks EXPAND_VOLUME and MODIFY_VOLUME)",
              "health-monitor off (the driver tells of neither");
    }
  }

  @Test
  void manyClaimsAreServedSideBySide() throws Exception { // PROV-26
    int many = 500;
    var crowd = new Crowd();
    driver.answers(crowd::pass);
    try (var _ = new SocketDriver(socket(), PLAIN, driver)) {
      assertThat(serving().driver()).isEqualTo(PLAIN);
      for (int i = 0; i < many; i++) create(claim().named("data-" + i));
      await()
          .pollInterval(Duration.ofMillis(50))
          .atMost(Duration.ofMinutes(2))
          .until(() -> volumes().size() == many);
    }
    assertThat(driver.volumes()).hasSize(many);
    assertThat(crowd.largest.get()).isBetween(2, 100);
  }

  /// How many are in the driver at the same time; each takes a few milliseconds.
  private static final class Crowd {
    final AtomicInteger largest = new AtomicInteger();
    private final AtomicInteger inside = new AtomicInteger();

    dev.berth.csi.v1.Volume pass(dev.berth.csi.v1.Volume volume) {
      int now = inside.incrementAndGet();
      largest.accumulateAndGet(now, Math::max);
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      inside.decrementAndGet();
      return volume;
    }
  }
}
