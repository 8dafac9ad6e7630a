package dev.berth.controller.snapshot.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.World;
import dev.berth.kube.time.SystemTime;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// SNAP-94, SNAP-A4: what waits, and what nobody has any more.
class SnapshotCountsTest {
  private static final Draft CLASS =
      Draft.of(
          """
          apiVersion: snapshot.storage.k8s.io/v1
          kind: VolumeSnapshotClass
          metadata: {name: fast}
          driver: disk.berth.dev
          deletionPolicy: Delete
          """);
  private static final Draft SNAPSHOT =
      Draft.of(
          """
          apiVersion: snapshot.storage.k8s.io/v1
          kind: VolumeSnapshot
          metadata: {namespace: shop, name: monday}
          spec: {volumeSnapshotClassName: fast, source: {persistentVolumeClaimName: data}}
          """);
  private static final Draft CONTENT =
      Draft.of(
          """
          apiVersion: snapshot.storage.k8s.io/v1
          kind: VolumeSnapshotContent
          metadata: {name: c}
          spec:
            driver: disk.berth.dev
            deletionPolicy: Delete
            source: {volumeHandle: v}
            volumeSnapshotRef: {namespace: shop, name: monday, uid: uid-monday}
          """);

  @Test
  void whatWaitsIsCountedByDriver() {
    var marked =
        CONTENT.set(
            "metadata.annotations",
            "{snapshot.storage.kubernetes.io/volumesnapshot-being-created: 'yes'}");
    var held =
        Draft.claim("data")
            .set(
                "metadata.finalizers", "[snapshot.storage.kubernetes.io/pvc-as-source-protection]");
    assertThat(told(World.of(CLASS, SNAPSHOT, marked, held)))
        .containsExactly(
            "claims_held 1.0",
            "contents_being_created disk.berth.dev 1.0",
            "unready_snapshots disk.berth.dev 1.0");
    assertThat(
            told(
                World.of(
                    CLASS,
                    SNAPSHOT.set("status", "{readyToUse: true, boundVolumeSnapshotContentName: c}"),
                    CONTENT)))
        .containsExactly("claims_held 0.0");
  }

  @Test
  void aContentWhoseSnapshotIsGoneIsCounted() {
    assertThat(told(World.of(CLASS, CONTENT)))
        .containsExactly("claims_held 0.0", "contents_without_snapshot disk.berth.dev 1.0");
    var another =
        SNAPSHOT
            .set("metadata.uid", "another")
            .set("status", "{readyToUse: true, boundVolumeSnapshotContentName: d}");
    assertThat(told(World.of(CLASS, CONTENT, another)))
        .containsExactly("claims_held 0.0", "contents_without_snapshot disk.berth.dev 1.0");
  }

  @Test
  void whatIsKeptOnPurposeOrGoesIsNot() {
    for (var kept :
        List.of(
            CONTENT.set("spec.deletionPolicy", "Retain"),
            CONTENT.deleting(),
            CONTENT.without("spec.volumeSnapshotRef.uid")))
      assertThat(told(World.of(CLASS, kept))).containsExactly("claims_held 0.0");
  }

  private static List<String> told(World world) {
    var registry = new PrometheusRegistry();
    try (var time = new SystemTime("test")) {
      SnapshotCounts.show(time, registry, world::snapshot);
      return registry.scrape().stream()
          .filter(it -> !it.getMetadata().getName().endsWith("_seconds"))
          .flatMap(SnapshotCountsTest::lines)
          .sorted()
          .toList();
    }
  }

  private static java.util.stream.Stream<String> lines(MetricSnapshot metric) {
    return ((GaugeSnapshot) metric)
        .getDataPoints().stream()
            .map(point ->
                metric.getMetadata().getName().replace("snapshot_controller_", "")
                    + point.getLabels().stream()
                        .map(label -> " " + label.getValue())
                        .collect(Collectors.joining())
                    + " "
                    + point.getValue());
  }
}
