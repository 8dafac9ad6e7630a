package dev.berth.node.stats;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.NodeGetVolumeStatsResponse;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.VolumeCondition;
import dev.berth.csi.v1.VolumeUsage;
import dev.berth.csi.v1.VolumeUsage.Unit;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.time.SystemTime;
import dev.berth.node.driver.Drivers;
import dev.berth.node.layout.Layout;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.TestNode;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Publication;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VolumeStatsTest {
  private static final VolumeName NAME = new VolumeName(MemoryDriver.NAME, "vol-1");
  private static final String OWN = "csi-" + Layout.sha256("pod-1own");
  private static final VolumeName INLINE = new VolumeName(MemoryDriver.NAME, OWN);

  private static final Snapshots OBJECTS =
      Snapshots.empty()
          .with(
              Kinds.POD,
              Kinds.POD
                  .read()
                  .apply(
                      TestNode.yaml(
                          """
                          metadata: {namespace: ns, name: web, uid: pod-1}
                          spec:
                            nodeName: n
                            containers:
                            - name: app
                              volumeMounts: [{name: data, mountPath: /d}, {name: own, mountPath: /o}]
                            volumes:
                            - {name: data, persistentVolumeClaim: {claimName: claim}}
                            - {name: own, csi: {driver: disk.berth.dev}}
                          """)))
          .with(
              Kinds.CLAIM,
              Kinds.CLAIM
                  .read()
                  .apply(
                      TestNode.yaml(
                          """
                          metadata: {namespace: ns, name: claim, uid: claim-1}
                          spec: {volumeName: pv-1}
                          status: {phase: Bound}
                          """)))
          .with(
              Kinds.VOLUME,
              Kinds.VOLUME
                  .read()
                  .apply(
                      TestNode.yaml(
                          """
                          metadata: {name: pv-1}
                          spec:
                            claimRef: {namespace: ns, name: claim, uid: claim-1}
                            csi: {driver: disk.berth.dev, volumeHandle: vol-1}
                          """)));

  private static final Actual MOUNTED =
      Actual.NOTHING
          .with(
              Actual.NOTHING
                  .volume(NAME)
                  .with("pod-1", new Publication.Present("pv-1", Instant.EPOCH)))
          .with(
              Actual.NOTHING
                  .volume(INLINE)
                  .with(Form.INLINE)
                  .with("pod-1", new Publication.Present("own", Instant.EPOCH)));

  private final List<Notice> told = new CopyOnWriteArrayList<>();
  private final SystemTime time = new SystemTime("stats-test");
  private final Drivers drivers = new Drivers();
  private Actual mounted = MOUNTED;
  private final VolumeStats stats =
      new VolumeStats(
          drivers,
          new MemoryFiles(new MemoryDriver()),
          () -> mounted,
          () -> OBJECTS,
          told::add,
          time);

  @AfterEach
  void stop() {
    stats.close();
    time.close();
  }

  private MemoryDriver driver(RPC.Type... capabilities) {
    var driver = new MemoryDriver(capabilities);
    drivers.register(MemoryDriver.NAME, driver);
    return driver;
  }

  private static NodeGetVolumeStatsResponse full(NodeGetVolumeStatsRequest asked) {
    return NodeGetVolumeStatsResponse.newBuilder()
        .addUsage(usage(Unit.BYTES, 100, 30, 70))
        .addUsage(usage(Unit.INODES, 10, 4, 6))
        .addUsage(usage(Unit.UNKNOWN, 1, 1, 1))
        .build();
  }

  private static VolumeUsage usage(Unit unit, long total, long available, long used) {
    return VolumeUsage.newBuilder()
        .setUnit(unit)
        .setTotal(total)
        .setAvailable(available)
        .setUsed(used)
        .build();
  }

  private static NodeGetVolumeStatsResponse condition(boolean abnormal, String message) {
    return NodeGetVolumeStatsResponse.newBuilder()
        .setVolumeCondition(VolumeCondition.newBuilder().setAbnormal(abnormal).setMessage(message))
        .build();
  }

  private static String text(PrometheusRegistry registry) throws IOException {
    var bytes = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.builder().build().write(bytes, registry.scrape());
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private void awaitReadings(int count) {
    await(count + " readings").until(() -> stats.now().size() == count);
  }

  @Test
  void howFullAVolumeIsStandsInTheMetricsOfItsClaim() throws IOException { // NSTA-01, NSTA-02
    var registry = new PrometheusRegistry();
    VolumeMetrics.register(stats, registry);
    driver(RPC.Type.GET_VOLUME_STATS).tell(VolumeStatsTest::full);
    assertThat(text(registry)).doesNotContain("persistentvolumeclaim");
    stats.round();
    awaitReadings(2);
    var labels = "{namespace=\"ns\",persistentvolumeclaim=\"claim\"} ";
    assertThat(text(registry))
        .contains(
            "kubelet_volume_stats_capacity_bytes" + labels + "100.0",
            "kubelet_volume_stats_available_bytes" + labels + "30.0",
            "kubelet_volume_stats_used_bytes" + labels + "70.0",
            "kubelet_volume_stats_inodes" + labels + "10.0",
            "kubelet_volume_stats_inodes_free" + labels + "4.0",
            "kubelet_volume_stats_inodes_used" + labels + "6.0",
            "kubelet_volume_metric_collection_duration_seconds_count{metric_source=\"kubernetes.io/csi:disk.berth.dev\"}"
                + " 2")
        .doesNotContain("\"own\"", "health_status_abnormal{");
    var summary = Summary.of("n", stats.now());
    assertThat(summary.at("/node/nodeName").asText()).isEqualTo("n");
    assertThat(summary.at("/pods/0/podRef/name").asText()).isEqualTo("web");
    assertThat(summary.at("/pods/0/volume/0/pvcRef/name").asText()).isEqualTo("claim");
    assertThat(summary.at("/pods/0/volume/1/name").asText()).isEqualTo("own");
    assertThat(summary.at("/pods/0/volume/1/pvcRef").isMissingNode()).isTrue();
  }

  @Test
  void aVolumeThatIsUnwellIsToldOfEachTimeAndOnceWhenItIsWell() throws IOException { // NSTA-03
    var registry = new PrometheusRegistry();
    VolumeMetrics.register(stats, registry);
    var driver = driver(RPC.Type.VOLUME_CONDITION);
    driver.tell(asked -> condition(asked.getVolumeId().equals("vol-1"), "lost a leg"));
    await("told twice")
        .until(() -> {
          stats.round();
          return told.size() >= 2;
        });
    assertThat(told)
        .allSatisfy(notice -> {
          assertThat(notice.reason()).isEqualTo("VolumeConditionAbnormal");
          assertThat(notice.message()).isEqualTo("Volume data: lost a leg");
          assertThat(notice.about().toString()).isEqualTo("pod/web");
        });
    assertThat(text(registry))
        .contains(
            "kubelet_volume_stats_health_status_abnormal{namespace=\"ns\",persistentvolumeclaim=\"claim\"}"
                + " 1.0");
    driver.tell(_ -> condition(false, "all legs"));
    await("told of the end")
        .until(() -> {
          stats.round();
          return told.getLast().reason().equals("VolumeConditionNormal");
        });
    assertThat(told.getLast().message()).isEqualTo("Volume data: all legs");
    var since = time.now();
    await("asked again")
        .until(() -> {
          stats.round();
          return stats.now().stream().allMatch(reading -> reading.at().isAfter(since));
        });
    assertThat(told.stream().filter(it -> it.reason().equals("VolumeConditionNormal"))).hasSize(1);
  }

  @Test
  void aDriverThatCannotTellIsNotAsked() {
    var asked = new AtomicInteger();
    driver()
        .tell(request -> {
          asked.incrementAndGet();
          return full(request);
        });
    stats.round();
    var driver = driver(RPC.Type.GET_VOLUME_STATS);
    driver.tell(VolumeStatsTest::full);
    await("asked")
        .until(() -> {
          stats.round();
          return stats.now().size() == 2;
        });
    // What it was is not what it is.
    driver.tell(_ -> NodeGetVolumeStatsResponse.getDefaultInstance());
    await("forgotten")
        .until(() -> {
          stats.round();
          return stats.now().isEmpty();
        });
    assertThat(asked.get()).isZero();
  }

  @Test
  void oneThatHangsHoldsUpNothingElse() throws InterruptedException {
    var answer = new CountDownLatch(1);
    var asked = new AtomicInteger();
    driver(RPC.Type.GET_VOLUME_STATS)
        .tell(request -> {
          if (!request.getVolumeId().equals("vol-1")) return full(request);
          asked.incrementAndGet();
          try {
            answer.await();
          } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
          }
          return full(request);
        });
    stats.round();
    awaitReadings(1);
    for (int i = 0; i < 3; i++) stats.round();
    assertThat(asked.get()).isEqualTo(1);
    answer.countDown();
    awaitReadings(2);
    mounted = Actual.NOTHING;
    stats.round();
    awaitReadings(0);
  }

  @Test
  void itIsAskedInItsPeriod() {
    driver(RPC.Type.GET_VOLUME_STATS).tell(VolumeStatsTest::full);
    stats.start(Duration.ofMillis(5));
    awaitReadings(2);
    var first = stats.now().getFirst().at();
    await("asked again")
        .until(() -> stats.now().stream().allMatch(reading -> reading.at().isAfter(first)));
  }
}
