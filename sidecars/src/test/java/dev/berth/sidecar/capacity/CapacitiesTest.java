package dev.berth.sidecar.capacity;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_CAPACITY;
import static dev.berth.csi.v1.PluginCapability.Service.Type.CONTROLLER_SERVICE;
import static dev.berth.csi.v1.PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.csiNode;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.node;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static dev.berth.sidecar.testing.Objects.volume;
import static dev.berth.sidecar.testing.Objects.waitingClass;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.fact.Source.News;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.StorageCapacity;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Meta.Owner;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Quantity;
import dev.berth.sidecar.SidecarDeciders;
import dev.berth.sidecar.SidecarOptions;
import dev.berth.sidecar.capacity.CapacityOptions.OwnerOf;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.topology.Segment;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.write.LifeMetrics;
import io.grpc.Status.Code;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is published, on the real API and the real loop.
class CapacitiesTest {
  private static final DriverFacts ZONED =
      new DriverFacts(
          DRIVER,
          EnumSet.of(CONTROLLER_SERVICE, VOLUME_ACCESSIBILITY_CONSTRAINTS),
          EnumSet.of(GET_CAPACITY));
  private static final long GIB = 1L << 30;

  private final Bench bench = new Bench();
  private final Owner owner = owner();

  /// Somebody who is there: what is owned goes with its owner.
  private Owner owner() {
    var pod =
        bench
            .api()
            .create(
                Resources.PODS, pod().named("owner").without("metadata", "ownerReferences").json());
    return new Owner("v1", "Pod", "owner", pod.path("metadata").path("uid").asText(), true);
  }

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final LifeMetrics metrics = new LifeMetrics(registry);

  @AfterEach
  void close() {
    bench.close();
  }

  private CapacityOptions options(boolean immediate) {
    return new CapacityOptions(
        "shop",
        Optional.of(new OwnerOf("owner", 0)),
        CapacityOptions.CENTRAL,
        immediate,
        Duration.ofMinutes(1),
        1,
        Duration.ofSeconds(10));
  }

  private static CapacityOptions options(String pod, int level) {
    return new CapacityOptions(
        "shop",
        Optional.of(new OwnerOf(pod, level)),
        CapacityOptions.CENTRAL,
        true,
        Duration.ofMinutes(1),
        1,
        Duration.ofSeconds(10));
  }

  private void run() {
    run(ZONED, false);
  }

  private void run(DriverFacts driver, boolean immediate) {
    var room = Capacities.room();
    bench.run(
        (api, events) ->
            Capacities.of(driver, options(immediate), room, metrics.room())
                .controller(bench.means(api, events)),
        bench.api(),
        Sources.of(room));
  }

  private void createZones() {
    bench.driver().hasRoom(Map.of("{zone=a}", GIB, "{zone=b}", 2 * GIB));
    bench.create(
        node("n1", Map.of("zone", "a")),
        node("n2", Map.of("zone", "b")),
        node("n3", Map.of("zone", "b")),
        csiNode("n1", "zone"),
        csiNode("n2", "zone"),
        csiNode("n3", "zone"));
  }

  private List<String> published() {
    return bench.all(Kinds.STORAGE_CAPACITY).stream().map(CapacitiesTest::text).sorted().toList();
  }

  private static String text(StorageCapacity capacity) {
    return Slot.of(capacity).orElseThrow() + " " + capacity.capacity().orElseThrow();
  }

  private long asked() {
    return bench.driver().calls().size();
  }

  @Test
  void roomIsPublishedForEachClassInEachSegment() { // PROV-160, PROV-162
    createZones();
    bench.create(
        waitingClass().with("x", "parameters", "csi.storage.k8s.io/fstype"),
        storageClass().named("now"),
        waitingClass().named("others").with("other.example", "provisioner"));
    run();

    assertThat(published()).containsExactly("fast{zone=a} 1Gi", "fast{zone=b} 2Gi");
    assertThat(bench.driver().calls()) // PROV-163
        .containsExactlyInAnyOrder(
            "GetCapacity {zone=a} {tier=gold}", "GetCapacity {zone=b} {tier=gold}");
    var object = bench.all(Kinds.STORAGE_CAPACITY).getFirst().meta();
    assertThat(object.name()).startsWith("csisc-");
    assertThat(object.labels())
        .containsEntry("csi.storage.k8s.io/drivername", DRIVER)
        .containsEntry("csi.storage.k8s.io/managed-by", "external-provisioner");
    assertThat(object.controllerOwner()).contains(owner);
  }

  @Test
  void classesThatDoNotWaitCountIfWanted() { // PROV-160
    createZones();
    bench.create(storageClass().named("now"));
    run(ZONED, true);

    assertThat(published()).containsExactly("now{zone=a} 1Gi", "now{zone=b} 2Gi");
  }

  @Test
  void aDriverWithoutTopologyHasRoomEverywhere() { // PROV-162
    bench.driver().hasRoom(Map.of("{}", GIB));
    bench.create(waitingClass());
    run(driver(GET_CAPACITY), false);

    assertThat(bench.driver().calls()).containsExactly("GetCapacity {} {tier=gold}"); // PROV-163
    assertThat(published()).containsExactly("fast{} 1Gi");
    assertThat(bench.all(Kinds.STORAGE_CAPACITY).getFirst().topology()).isPresent();
  }

  @Test
  void roomOfNoneIsPublished() { // PROV-164
    createZones();
    bench.driver().hasRoom(Map.of("{zone=b}", GIB));
    bench.create(waitingClass());
    run();

    assertThat(published()).containsExactly("fast{zone=a} 0", "fast{zone=b} 1Gi");
  }

  @Test
  void roomIsAskedForEveryMinuteAndWrittenIfItIsAnother() { // PROV-164, PROV-166
    createZones();
    bench.create(waitingClass());
    run();
    var versions = versions();
    bench.pass(Duration.ofSeconds(59));
    assertThat(asked()).isEqualTo(2);

    bench.pass(Duration.ofSeconds(1));
    assertThat(asked()).isEqualTo(4);
    assertThat(versions()).isEqualTo(versions);

    bench.driver().hasRoom(Map.of("{zone=a}", 5 * GIB, "{zone=b}", 2 * GIB));
    bench.pass(Duration.ofMinutes(1));
    assertThat(published()).containsExactly("fast{zone=a} 5Gi", "fast{zone=b} 2Gi");
  }

  private List<String> versions() {
    return bench.all(Kinds.STORAGE_CAPACITY).stream()
        .map(it -> it.meta().resourceVersion())
        .toList();
  }

  @Test
  void aVolumeThatComesOrGoesIsFollowedByAQuestion() { // PROV-166
    createZones();
    bench.create(waitingClass());
    run();
    bench.create(
        volume()
            .with(
                Tree.of(
                    """
                    {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                      {"key": "zone", "operator": "In", "values": ["b"]}]}]}}
                    """),
                "spec",
                "nodeAffinity"));
    bench.time().settle();

    assertThat(bench.driver().calls().subList(2, (int) asked()))
        .containsExactly("GetCapacity {zone=b} {tier=gold}");
  }

  @Test
  void aDriverThatSaysThatItsRoomHasChangedIsAskedAtOnce() { // PROV-166, BM-84
    createZones();
    bench.create(waitingClass());
    run();
    bench.driver().hasRoom(Map.of("{zone=a}", 7 * GIB, "{zone=b}", 3 * GIB));
    var inA =
        bench.all(Kinds.STORAGE_CAPACITY).stream()
            .filter(it -> text(it).contains("zone=a"))
            .findFirst()
            .orElseThrow();
    bench
        .api()
        .patch(
            Resources.STORAGE_CAPACITIES,
            inA.meta().key(),
            Patch.merge(
                Tree.of(
                        "{\"metadata\": {\"annotations\": {\"%s\": \"1\"}}}"
                            .formatted(Annotations.CAPACITY_CHANGED))
                    .json()));
    bench.time().settle();

    assertThat(bench.driver().calls().subList(2, (int) asked()))
        .containsExactly("GetCapacity {zone=a} {tier=gold}");
    assertThat(published()).containsExactly("fast{zone=a} 7Gi", "fast{zone=b} 2Gi");
  }

  @Test
  void aFailureIsTriedAgainAndLeavesWhatIsThere() { // PROV-164
    createZones();
    bench.create(waitingClass());
    run();
    bench.driver().refuses(Code.UNAVAILABLE, "not now");
    bench.pass(Duration.ofMinutes(1));
    assertThat(published()).hasSize(2);
    assertThat(asked()).isEqualTo(4);

    bench.pass(Duration.ofSeconds(1));
    assertThat(asked()).isEqualTo(5);
  }

  @Test
  void whatSomebodyDeletesIsMadeAgain() { // PROV-165
    createZones();
    bench.create(waitingClass());
    run();
    var key = bench.all(Kinds.STORAGE_CAPACITY).getFirst().meta().key();
    bench.api().delete(Resources.STORAGE_CAPACITIES, key, DeleteOptions.DEFAULT);
    bench.pass(Duration.ofSeconds(1));

    assertThat(published()).hasSize(2);
  }

  @Test
  void whatIsNotWantedGoes() { // PROV-165
    createZones();
    bench.create(waitingClass());
    run();
    bench.delete(Resources.STORAGE_CLASSES, "fast");

    assertThat(published()).isEmpty();
  }

  private static Tree capacity(String name, String manager, String zone) {
    return Tree.of(
            """
            {"apiVersion": "storage.k8s.io/v1", "kind": "CSIStorageCapacity",
             "metadata": {"namespace": "shop"}, "storageClassName": "fast", "capacity": "7Gi"}
            """)
        .named(name)
        .with(DRIVER, "metadata", "labels", "csi.storage.k8s.io/drivername")
        .with(manager, "metadata", "labels", "csi.storage.k8s.io/managed-by")
        .with(zone, "nodeTopology", "matchLabels", "zone");
  }

  @Test
  void onlyObjectsWithBothLabelsAreTouched() { // PROV-165
    createZones();
    bench.create(
        waitingClass(),
        capacity("theirs", "other-provisioner", "a"),
        capacity("ours", CapacityOptions.CENTRAL, "a"),
        capacity("twice", CapacityOptions.CENTRAL, "a"),
        capacity("nowhere", CapacityOptions.CENTRAL, "z"));
    run();

    assertThat(bench.all(Kinds.STORAGE_CAPACITY).stream().map(it -> it.meta().name()))
        .contains("theirs", "ours")
        .doesNotContain("twice", "nowhere")
        .hasSize(3);
    var ours = bench.get(Kinds.STORAGE_CAPACITY, "ours");
    assertThat(ours.capacity()).contains(Quantity.parse("1Gi"));
    assertThat(ours.meta().controllerOwner()).contains(owner); // PROV-164
  }

  @Test
  void aNodeCountsWhenItHasTheLabel() { // PROV-162
    createZones();
    bench.create(waitingClass(), node("n4", Map.of()), csiNode("n4", "zone"));
    run();
    assertThat(published()).hasSize(2);

    bench.patch(Resources.NODES, "n4", "{\"metadata\": {\"labels\": {\"zone\": \"c\"}}}");
    assertThat(published()).contains("fast{zone=c} 0").hasSize(3);
  }

  @Test
  void aDriverThatCannotSayIsNotAsked() { // PROV-169
    var options = SidecarOptions.DEFAULT.with(options(false));

    assertThat(works(driver(CREATE_DELETE_VOLUME), options)).doesNotContain("csistoragecapacity");
    assertThat(works(driver(CREATE_DELETE_VOLUME, GET_CAPACITY), options))
        .contains("csistoragecapacity");
  }

  private static String works(DriverFacts driver, SidecarOptions options) {
    return SidecarDeciders.of(driver, options).all().stream()
        .map(it -> it.decider().name())
        .collect(Collectors.joining(" "));
  }

  private static Tree pod() {
    return Tree.of(
        """
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "us-0", "namespace": "shop", "ownerReferences": [
           {"apiVersion": "v1", "kind": "Pod", "name": "owner", "controller": true}]},
         "spec": {"containers": [{"name": "c", "image": "x"}]}}
        """);
  }

  @Test
  void theOwnerIsFoundFromThePod() { // PROV-161
    var pod = pod().json();
    ((ObjectNode) pod.path("metadata").path("ownerReferences").path(0)).put("uid", owner.uid());
    bench.api().create(Resources.PODS, pod);

    assertThat(Owners.of(bench.api(), "shop", "us-0", 0).name()).isEqualTo("us-0");
    assertThat(Owners.of(bench.api(), "shop", "us-0", 1)).isEqualTo(owner);
  }

  @Test
  void whatIsToBeThereAndIsThereIsCounted() { // PROV-187
    createZones();
    bench.create(waitingClass());
    run();

    assertThat(gauge("csistoragecapacities_desired_goal")).isEqualTo(2);
    assertThat(gauge("csistoragecapacities_desired_current")).isEqualTo(2);
    bench.driver().refuses(Code.UNAVAILABLE, "not now");
    bench.create(waitingClass().named("slow"));
    bench.time().settle();
    assertThat(gauge("csistoragecapacities_desired_goal")).isEqualTo(4);
    assertThat(gauge("csistoragecapacities_desired_current")).isEqualTo(3);

    bench.delete(Resources.STORAGE_CLASSES, "slow");
    bench.time().settle();
    assertThat(gauge("csistoragecapacities_desired_goal")).isEqualTo(2);
    assertThat(gauge("csistoragecapacities_desired_current")).isEqualTo(2);
    assertThat(gauge("csistoragecapacities_obsolete")).isZero();
  }

  private double gauge(String name) {
    return registry.scrape().stream()
        .filter(it -> it.getMetadata().getName().equals(name))
        .map(GaugeSnapshot.class::cast)
        .mapToDouble(it -> it.getDataPoints().getFirst().getValue())
        .sum();
  }

  @Test
  void anAnswerIsNoReasonToLookAtOthers() { // PROV-167
    var one = new Slot("fast", Segment.of(Map.of("zone", "a")));
    var other = new Slot("fast", Segment.of(Map.of("zone", "b")));
    var now = bench.time().now();
    var wanting = Room.TOPIC.none().wanting(Set.of(one, other));
    var answered = wanting.answered(one, now);
    var both = answered.answered(other, now);

    assertThat(Capacities.due(new News<>(Room.TOPIC.none(), wanting)))
        .containsExactlyInAnyOrder(one, other);
    assertThat(Capacities.due(new News<>(wanting, answered))).isEmpty();
    assertThat(Capacities.due(new News<>(both, both.stale(other)))).containsExactly(other);
    assertThat(Capacities.due(new News<>(both, both.stale("fast"))))
        .containsExactlyInAnyOrder(one, other);
  }

  @Test
  void whoCannotHaveItsOwnerDoesNotBegin() { // PROV-161
    assertThatThrownBy(() -> options("nobody", 1).checkOwner(bench.api()))
        .hasMessageContaining("look up owner(s) of pod failed");
    assertThatThrownBy(() -> options("owner", 1).checkOwner(bench.api()))
        .hasMessageContaining("Pod shop/owner has no controller");
    options(true).checkOwner(bench.api());
  }

  @Test
  void aPodThatNobodyControlsHasNoOwnerAbove() { // PROV-161
    bench.api().create(Resources.PODS, pod().without("metadata", "ownerReferences").json());

    assertThatThrownBy(() -> Owners.of(bench.api(), "shop", "us-0", 1))
        .hasMessageContaining("Pod shop/us-0 has no controller");
  }
}
