package dev.berth.sidecar.health;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_VOLUMES;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.VOLUME_CONDITION;
import static dev.berth.csi.v1.VolumeHealthErrorType.DATA_LOSS;
import static dev.berth.csi.v1.VolumeHealthErrorType.DEGRADED;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.csi.v1.ControllerServiceCapability.RPC.Type;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.metric.ClaimHealthMetrics;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Objects;
import dev.berth.sidecar.testing.Tree;
import io.grpc.Status.Code;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What claims are told of their volumes, on the real API and the real loop.
class HealthMonitorTest {
  private static final String HANDLE = "vol-1";
  private static final String ABNORMAL = "VolumeConditionAbnormal: ";
  private static final String NORMAL =
      "VolumeConditionNormal: The Volume returns to the healthy state";
  private static final String SHOWN =
      "csi_controller_volume_health_status{namespace=\"shop\",persistentvolumeclaim=\"data\",status=\"Degraded\"}"
          + " 1";
  private static final Duration WALK = Duration.ofMinutes(5);
  private static final Duration LOOK = Duration.ofMinutes(1);

  private final Bench bench = new Bench();
  private final HealthDriver driver = new HealthDriver();
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Set<String> served = new HashSet<>(Set.of(DRIVER));

  @AfterEach
  void close() {
    bench.close();
  }

  private static Tree bound() {
    return volume().without("spec", "claimRef", "uid");
  }

  private static Tree ours() {
    return claim().with(VOLUME, "spec", "volumeName").with("Bound", "status", "phase");
  }

  private HealthOptions options() {
    ClaimHealthMetrics.register(registry, bench::snapshot, served::contains);
    return HealthOptions.DEFAULT.counting(new HealthMetrics(registry));
  }

  private void run(Type... can) {
    if (bench.find(Kinds.CLAIM, "data").isEmpty()) bench.create(ours(), bound());
    bench.run(HealthMonitor.part(Objects.driver(can), options()), driver);
  }

  private JsonNode health() {
    return bench.json(Resources.CLAIMS, "data").path("status").path("healthStatus");
  }

  /// As `name{label="value"} 1`.
  private List<String> metrics() {
    return registry.scrape().stream()
        .flatMap(metric ->
            metric.getDataPoints().stream()
                .filter(it -> !(it instanceof HistogramDataPointSnapshot))
                .map(it -> metric.getMetadata().getName() + it.getLabels() + " " + value(it)))
        .toList();
  }

  private static long value(DataPointSnapshot point) {
    return switch (point) {
      case CounterDataPointSnapshot it -> (long) it.getValue();
      case GaugeDataPointSnapshot it -> (long) it.getValue();
      default -> throw new AssertionError(point.getClass());
    };
  }

  @Test
  void anAbnormalVolumeIsToldToItsClaim() { // HM-02
    driver.conditions.put(HANDLE, "its drive is slow");
    driver.conditions.put("vol-of-nobody", "gone");
    run(VOLUME_CONDITION, LIST_VOLUMES, GET_VOLUME);
    assertThat(bench.events()).containsExactly(ABNORMAL + "its drive is slow");
    assertThat(driver.asked).containsExactly("ListVolumes 0 ");
    assertThat(health().isMissingNode()).isTrue();

    driver.conditions.put(HANDLE, "its drive is dead");
    bench.pass(WALK);
    assertThat(bench.events())
        .containsExactly(ABNORMAL + "its drive is slow", ABNORMAL + "its drive is dead");
  }

  /// Its volume is not released yet, and somebody has made a claim of the same name.
  @Test
  void anotherClaimOfTheNameIsNotToldOfIt() { // HM-02; seed 500008 of SimulationTest
    driver.conditions.put(HANDLE, "its drive is slow");
    bench.create(claim().with("Pending", "status", "phase"), bound());
    run(VOLUME_CONDITION, LIST_VOLUMES);
    bench.pass(WALK.multipliedBy(3));
    assertThat(bench.events()).isEmpty();
  }

  @Test
  void whatIsToldIsToldOnce() { // HM-04, HM-11
    driver.conditions.put(HANDLE, "its drive is slow");
    run(VOLUME_CONDITION, LIST_VOLUMES);
    bench.pass(WALK.multipliedBy(3));
    driver.conditions.put(HANDLE, "");
    bench.pass(WALK.multipliedBy(3));
    assertThat(bench.events()).containsExactly(ABNORMAL + "its drive is slow", NORMAL);
  }

  @Test
  void whatIsToldWithoutWordsIsToldOnceToo() { // HM-11
    driver.wordless = true;
    driver.conditions.put(HANDLE, "abnormal");
    run(VOLUME_CONDITION, LIST_VOLUMES);
    bench.pass(WALK.multipliedBy(3));
    assertThat(bench.events()).containsExactly(ABNORMAL);
  }

  @Test
  void aVolumeThatWasNeverAbnormalHasNotRecovered() { // HM-04
    driver.conditions.put(HANDLE, "");
    run(VOLUME_CONDITION, LIST_VOLUMES);
    assertThat(bench.events()).isEmpty();
  }

  @Test
  void whatThoseBeforeUsToldIsToldAsOver() { // HM-04, HM-15
    bench.create(ours(), bound());
    var uid = bench.json(Resources.CLAIMS, "data").path("metadata").path("uid").asText();
    bench.create(
        Tree.of(
            """
            {"apiVersion": "v1", "kind": "Event", "count": 1,
             "metadata": {"name": "data.1", "namespace": "shop"},
             "involvedObject": {"kind": "PersistentVolumeClaim", "namespace": "shop",
               "name": "data", "uid": "%s"},
             "type": "Warning", "reason": "VolumeConditionAbnormal", "message": "old"}
            """
                .formatted(uid)));
    driver.conditions.put(HANDLE, "");
    run(VOLUME_CONDITION, LIST_VOLUMES);
    assertThat(bench.events()).containsExactly(NORMAL);
  }

  @Test
  void volumesThatAreNotBoundOrNotListedAreLeftAlone() { // HM-02
    bench.create(ours(), bound().with("Released", "status", "phase"));
    driver.conditions.put(HANDLE, "its drive is slow");
    run(VOLUME_CONDITION, LIST_VOLUMES);
    assertThat(bench.events()).isEmpty();
    bench.patchStatus(Resources.VOLUMES, VOLUME, "{\"status\": {\"phase\": \"Bound\"}}"); // HM-13
    assertThat(bench.events()).containsExactly(ABNORMAL + "its drive is slow");
    driver.conditions.clear();
    bench.pass(WALK);
    assertThat(bench.events()).hasSize(1);
  }

  @Test
  void everyPageIsRead() { // HM-02
    driver.page = 1;
    driver.conditions.put("vol-0", "");
    driver.conditions.put(HANDLE, "its drive is slow");
    run(VOLUME_CONDITION, LIST_VOLUMES);
    assertThat(driver.asked).containsExactly("ListVolumes 0 ", "ListVolumes 0 1");
    assertThat(bench.events()).containsExactly(ABNORMAL + "its drive is slow");
  }

  @Test
  void aTokenThatComesBackEndsTheWalk() { // HM-13
    driver.page = 1;
    driver.circles = true;
    driver.conditions.put(HANDLE, "its drive is slow");
    run(VOLUME_CONDITION, LIST_VOLUMES);
    assertThat(driver.asked).hasSize(2);
  }

  @Test
  void aListThatFailsSaysNothing() { // HM-02
    driver.conditions.put(HANDLE, "its drive is slow");
    driver.lists = Optional.of(Code.INTERNAL);
    run(VOLUME_CONDITION, LIST_VOLUMES);
    assertThat(bench.events()).isEmpty();
    driver.lists = Optional.empty();
    bench.pass(WALK);
    assertThat(bench.events()).containsExactly(ABNORMAL + "its drive is slow");
  }

  @Test
  void whereNothingIsListedEachVolumeIsAskedForOnceInAnInterval() { // HM-03, HM-10
    driver.conditions.put(HANDLE, "its drive is slow");
    run(VOLUME_CONDITION, GET_VOLUME);
    assertThat(driver.asked).containsExactly("GetVolume vol-1");
    assertThat(bench.events()).containsExactly(ABNORMAL + "its drive is slow");
    driver.gets = Optional.of(Code.NOT_FOUND);
    bench.pass(LOOK);
    driver.gets = Optional.empty();
    driver.conditions.clear();
    bench.pass(LOOK);
    assertThat(driver.asked).hasSize(3);
    assertThat(bench.events()).containsExactly(ABNORMAL + "its drive is slow", NORMAL);
  }

  private static JsonNode conditions(String... entries) {
    return Tree.of("{\"is\": [%s]}".formatted(String.join(",", entries))).json().path("is");
  }

  private static String slow(String message) {
    return "{\"status\": \"Degraded\", \"reason\": \"DriveSlow\", \"message\": \"%s\"}"
        .formatted(message);
  }

  @Test
  void whatTheDriverSaysStandsInTheClaim() { // VH-05, VH-06, VH-08, VH-09, VH-11, VH-20
    driver.health.put(
        HANDLE,
        List.of(
            HealthDriver.entry(DEGRADED, "DriveSlow", "slow"),
            HealthDriver.entry(DATA_LOSS, "DriveFailed", "")));
    run(LIST_VOLUME_HEALTH, GET_VOLUME_HEALTH, VOLUME_CONDITION, LIST_VOLUMES);
    assertThat(health().path("healthConditions"))
        .isEqualTo(
            conditions("{\"status\": \"DataLoss\", \"reason\": \"DriveFailed\"}", slow("slow")));
    var since = bench.time().now();
    assertThat(health().path("lastTransitionTime").asText()).isEqualTo(since.toString());
    assertThat(bench.events()).isEmpty();
    assertThat(metrics())
        .contains(SHOWN)
        .contains(
            "csi_volume_health_probe{method=\"ControllerListVolumeHealth\",result=\"success\"}"
                + " 1");

    driver.health.put(
        HANDLE,
        List.of(
            HealthDriver.entry(DATA_LOSS, "DriveFailed", ""),
            HealthDriver.entry(DEGRADED, "DriveSlow", "slower"))); // the message alone
    bench.pass(WALK);
    assertThat(health().path("healthConditions").get(1))
        .isEqualTo(conditions(slow("slower")).get(0));
    assertThat(health().path("lastTransitionTime").asText()).isEqualTo(since.toString());

    driver.health.put(HANDLE, List.of(HealthDriver.entry(DEGRADED, "DriveSlow", "slower")));
    bench.pass(WALK);
    assertThat(health().path("healthConditions")).isEqualTo(conditions(slow("slower")));
    assertThat(Instant.parse(health().path("lastTransitionTime").asText())).isAfter(since);
    var version = version();
    bench.pass(WALK.multipliedBy(3));
    assertThat(version()).isEqualTo(version); // VH-11: nothing is written that stands there
  }

  /// A driver that is served by somebody else is somebody else's to tell of.
  @Test
  void anIllVolumeIsInTheMetricsAfterARestartToo() { // VH-20
    slowDrive(LIST_VOLUME_HEALTH, GET_VOLUME_HEALTH);
    bench.kill();
    registry.clear();
    var version = version();
    run(LIST_VOLUME_HEALTH, GET_VOLUME_HEALTH);
    assertThat(version()).isEqualTo(version);
    assertThat(metrics()).contains(SHOWN);
    served.clear();
    assertThat(metrics()).doesNotContain(SHOWN);
    served.add(DRIVER);
    bench.patch(Resources.CLAIMS, "data", "{\"metadata\": {\"finalizers\": null}}");
    bench.api().delete(Resources.CLAIMS, ObjectKey.of("shop", "data"), DeleteOptions.DEFAULT);
    bench.pass(WALK);
    assertThat(metrics()).doesNotContain(SHOWN);
  }

  private String version() {
    return bench.json(Resources.CLAIMS, "data").path("metadata").path("resourceVersion").asText();
  }

  private void slowDrive(Type... can) {
    driver.health.put(HANDLE, List.of(HealthDriver.entry(DEGRADED, "DriveSlow", "slow")));
    run(can);
    assertThat(health().path("healthConditions")).isEqualTo(conditions(slow("slow")));
  }

  @Test
  void oneThatIsNotListedAnyMoreIsAskedFor() { // VH-12
    slowDrive(LIST_VOLUME_HEALTH, GET_VOLUME_HEALTH);
    var sick = driver.health.remove(HANDLE);
    driver.gets = Optional.of(Code.UNAVAILABLE); // which says nothing
    bench.pass(WALK);
    assertThat(driver.asked).endsWith("GetVolumeHealth vol-1");
    assertThat(health().path("healthConditions")).isEqualTo(conditions(slow("slow")));
    driver.gets = Optional.empty();
    bench.pass(WALK);
    assertThat(health().path("healthConditions")).isEmpty();
    driver.health.put(HANDLE, sick);
    bench.pass(WALK);
    assertThat(health().path("healthConditions")).isEqualTo(conditions(slow("slow")));
  }

  @Test
  void oneThatCannotBeAskedForIsWellAfterTwoWalks() { // VH-12
    slowDrive(LIST_VOLUME_HEALTH);
    driver.health.clear();
    bench.pass(WALK);
    assertThat(health().path("healthConditions")).isEqualTo(conditions(slow("slow")));
    driver.lists = Optional.of(Code.UNAVAILABLE); // a walk that failed is none
    bench.pass(WALK);
    assertThat(health().path("healthConditions")).isEqualTo(conditions(slow("slow")));
    driver.lists = Optional.empty();
    bench.pass(WALK);
    assertThat(driver.asked).hasSize(4);
    assertThat(health().path("healthConditions")).isEmpty();
  }

  @Test
  void whatAnEarlierMonitorLeftBehindIsCleared() { // VH-19
    bench.create(ours(), bound());
    bench.patchStatus(
        Resources.CLAIMS,
        "data",
        "{\"status\": {\"healthStatus\": {\"healthConditions\": [%s]}}}".formatted(slow("old")));
    run(LIST_VOLUME_HEALTH, GET_VOLUME_HEALTH);
    assertThat(driver.asked).containsExactly("ListVolumeHealth ", "GetVolumeHealth vol-1");
    assertThat(health().path("healthConditions")).isEmpty();
  }

  @Test
  void whereTheListFailsEachVolumeIsAskedFor() { // VH-15
    driver.lists = Optional.of(Code.INTERNAL);
    driver.health.put(HANDLE, List.of(HealthDriver.entry(DEGRADED, "DriveSlow", "slow")));
    run(LIST_VOLUME_HEALTH, GET_VOLUME_HEALTH);
    assertThat(driver.asked).containsExactly("ListVolumeHealth ", "GetVolumeHealth vol-1");
    assertThat(health().path("healthConditions")).isEqualTo(conditions(slow("slow")));
    bench.pass(WALK);
    assertThat(driver.asked).hasSize(4);
  }

  @Test
  void anEmptyAnswerIsRecovery() { // VH-12
    slowDrive(GET_VOLUME_HEALTH);
    driver.health.clear();
    driver.gets = Optional.of(Code.INTERNAL); // which says nothing (VH-11)
    bench.pass(LOOK);
    assertThat(health().path("healthConditions")).isEqualTo(conditions(slow("slow")));
    driver.gets = Optional.empty();
    bench.pass(LOOK);
    assertThat(health().path("healthConditions")).isEmpty();
  }

  @Test
  void whatIsNotUnderstoodIsToldAndNeverWritten() { // VH-14
    driver.health.put(
        HANDLE,
        List.of(
            HealthDriver.unknown(9, "PathsLost"),
            HealthDriver.entry(DEGRADED, "DriveSlow", "slow")));
    run(GET_VOLUME_HEALTH);
    assertThat(health().path("healthConditions")).isEqualTo(conditions(slow("slow")));
    var told =
        "UnknownVolumeHealthCondition: the driver reports conditions that are not known here:"
            + " 9/PathsLost";
    assertThat(bench.events()).containsExactly(told);
    assertThat(metrics()).contains("csi_volume_health_unknown_condition{} 1");

    driver.health.put(HANDLE, List.of(HealthDriver.unknown(9, "PathsLost")));
    bench.pass(LOOK.multipliedBy(2));
    assertThat(health().path("healthConditions")).isEqualTo(conditions(slow("slow")));
    assertThat(bench.events()).containsExactly(told);
  }

  @Test
  void theLastEntryOfAWalkHolds() { // VH-13
    driver.page = 1;
    driver.health.put("vol-0", List.of(HealthDriver.entry(DEGRADED, "Other", "")));
    driver.health.put(HANDLE, List.of(HealthDriver.entry(DEGRADED, "DriveSlow", "slow")));
    run(LIST_VOLUME_HEALTH);
    assertThat(health().path("healthConditions")).isEqualTo(conditions(slow("slow")));
    assertThat(driver.asked).containsExactly("ListVolumeHealth ", "ListVolumeHealth 1");
  }

  @Test
  void whatTheServerDropsIsNotWrittenAgainAtOnce() { // VH-16
    bench.create(ours(), bound());
    driver.health.put(HANDLE, List.of(HealthDriver.entry(DEGRADED, "DriveSlow", "slow")));
    var door = new Dropping(bench.api());
    bench.run(HealthMonitor.part(Objects.driver(GET_VOLUME_HEALTH), options()), driver, door);
    bench.pass(LOOK.multipliedBy(5));
    assertThat(door.dropped).isEqualTo(1);
    assertThat(metrics()).contains("csi_volume_health_status_writes_dropped{} 1");
    bench.pass(Duration.ofMinutes(6));
    assertThat(door.dropped).isEqualTo(2);
  }

  @Test
  void whatTheServerDropsIsToldByEvents() { // VH-16
    bench.create(ours(), bound());
    driver.health.put(HANDLE, List.of(HealthDriver.entry(DEGRADED, "DriveSlow", "slow")));
    bench.run(
        HealthMonitor.part(Objects.driver(GET_VOLUME_HEALTH), options()),
        driver,
        new Dropping(bench.api()));
    bench.pass(LOOK.multipliedBy(3));
    assertThat(bench.events())
        .containsExactly("VolumeConditionAbnormal: Degraded: DriveSlow: slow");

    driver.health.put(HANDLE, List.of());
    bench.pass(LOOK.multipliedBy(3));
    assertThat(bench.events())
        .last()
        .isEqualTo("VolumeConditionNormal: The Volume returns to the healthy state");
    assertThat(bench.events()).hasSize(2);
  }

  @Test
  void whatWasToldByEventsIsToldAsOverWhenItIsNotListedAnyMore() { // VH-12, VH-16
    bench.create(ours(), bound());
    var slow = List.of(HealthDriver.entry(DEGRADED, "DriveSlow", "slow"));
    driver.health.put(HANDLE, slow);
    bench.run(
        HealthMonitor.part(Objects.driver(LIST_VOLUME_HEALTH, GET_VOLUME_HEALTH), options()),
        driver,
        new Dropping(bench.api()));
    bench.pass(WALK);
    driver.health.remove(HANDLE);
    bench.pass(WALK.multipliedBy(3));
    driver.health.put(HANDLE, slow);
    bench.pass(WALK.multipliedBy(3));
    var told = "VolumeConditionAbnormal: Degraded: DriveSlow: slow";
    assertThat(bench.events()).containsExactly(told, NORMAL, told);
  }

  @Test
  void orWhenTwoWalksDidNotShowIt() { // VH-12, VH-16
    bench.create(ours(), bound());
    driver.health.put(HANDLE, List.of(HealthDriver.entry(DEGRADED, "DriveSlow", "slow")));
    bench.run(
        HealthMonitor.part(Objects.driver(LIST_VOLUME_HEALTH), options()),
        driver,
        new Dropping(bench.api()));
    bench.pass(WALK);
    driver.health.remove(HANDLE);
    bench.pass(WALK);
    assertThat(bench.events()).hasSize(1);
    bench.pass(WALK.multipliedBy(2));
    assertThat(bench.events()).last().isEqualTo(NORMAL);
    assertThat(bench.events()).hasSize(2);
  }
}
