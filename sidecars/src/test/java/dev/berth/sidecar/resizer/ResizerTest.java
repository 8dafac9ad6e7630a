package dev.berth.sidecar.resizer;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.EXPAND_VOLUME;
import static dev.berth.sidecar.resizer.Growing.PV;
import static dev.berth.sidecar.resizer.Growing.pod;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.Api;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.ClaimGrowth.Stage;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Quantity;
import dev.berth.sidecar.connection.Turns;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.WatchedApi;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of claims that ask for more, on the real API and the real loop.
class ResizerTest {
  private static final String RESIZING = "Resizing: External resizer is resizing volume " + VOLUME;
  private static final long GI = Growing.GI;

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void run(Reach reach, ResizerOptions options, Api door) {
    bench.run(
        (api, events) ->
            new Controller<>(
                new Resizer(driver(EXPAND_VOLUME), reach, options),
                new GrowthEffects(
                    DRIVER, options, bench.driver(), api, events, bench.time(), new Turns())),
        door);
  }

  private void run() {
    run(Reach.CONTROLLER, ResizerOptions.DEFAULT, bench.api());
  }

  /// A claim of 1Gi with its volume; it asks for more as a user does.
  private void wanted(String size) {
    bench.create(
        storageClass().with(true, "allowVolumeExpansion"),
        claim()
            .with(VOLUME, "spec", "volumeName")
            .with("Bound", "status", "phase")
            .with(Map.of("storage", "1Gi"), "status", "capacity"));
    bench.create(PV.with(claimNow().meta().uid(), "spec", "claimRef", "uid"));
    ask(size);
  }

  private void ask(String size) {
    bench.patch(
        Resources.CLAIMS,
        "data",
        "{\"spec\": {\"resources\": {\"requests\": {\"storage\": \"%s\"}}}}".formatted(size));
  }

  private Claim claimNow() {
    return bench.get(Kinds.CLAIM, "data");
  }

  private Volume pvNow() {
    return bench.get(Kinds.VOLUME, VOLUME);
  }

  private static Quantity gi(int number) {
    return Quantity.ofBytes(number * GI);
  }

  private List<String> conditions() {
    return claimNow().conditions().stream()
        .map(it -> it.type() + (it.reason().isEmpty() ? "" : " " + it.reason()))
        .toList();
  }

  @Test
  void aVolumeGrowsAndTheClaimSaysSo() { // EXPD-02, RSZ-09, RSZ-39, RSZ-57, RSZ-59
    wanted("2Gi");
    run();

    assertThat(bench.driver().calls()).containsExactly("Expand vol-1 " + 2 * GI);
    assertThat(pvNow().capacity()).isEqualTo(gi(2));
    assertThat(pvNow().meta().annotations()).doesNotContainKey(Annotations.PRE_RESIZE_CAPACITY);
    var claim = claimNow();
    assertThat(claim.capacity()).contains(gi(2));
    assertThat(claim.growth().allocated()).contains(gi(2));
    assertThat(claim.growth().stage()).isEqualTo(Stage.NONE);
    assertThat(claim.conditions()).isEmpty();
    assertThat(claim.meta().annotations())
        .containsEntry(Annotations.NODE_EXPANSION_NOT_REQUIRED, "true");
    assertThat(bench.events())
        .containsExactly(RESIZING, "VolumeResizeSuccessful: Resize volume succeeded");
  }

  @Test
  void aNodeThatHasToFollowIsWaitedFor() { // RSZ-23, RSZ-36, RSZ-57, RSZ-58, RSZ-101
    wanted("2Gi");
    bench.driver().grows(it -> it.toBuilder().setNodeExpansionRequired(true).build());
    bench.patch(
        Resources.CLAIMS,
        "data",
        "{\"metadata\": {\"annotations\": {\"%s\": \"true\"}}}"
            .formatted(Annotations.NODE_EXPANSION_NOT_REQUIRED));
    run();

    assertThat(pvNow().capacity()).isEqualTo(gi(2));
    assertThat(pvNow().meta().annotations()).containsEntry(Annotations.PRE_RESIZE_CAPACITY, "1Gi");
    var claim = claimNow();
    assertThat(claim.capacity()).contains(gi(1));
    assertThat(claim.growth().stage()).isEqualTo(Stage.NODE_PENDING);
    assertThat(claim.meta().annotations())
        .doesNotContainKey(Annotations.NODE_EXPANSION_NOT_REQUIRED);
    assertThat(conditions()).containsExactly("Resizing", "FileSystemResizePending");
    assertThat(claim.condition("FileSystemResizePending").map(ClaimCondition::message))
        .contains(
            "Waiting for user to (re-)start a pod to finish file system resize of volume on node.");
    assertThat(bench.events())
        .containsExactly(
            RESIZING, "FileSystemResizeRequired: Require file system resize of volume on node");

    // What a kubelet writes when it is done.
    bench.patchStatus(
        Resources.CLAIMS,
        "data",
        "{\"status\": {\"capacity\": {\"storage\": \"2Gi\"}, \"conditions\": null,"
            + " \"allocatedResourceStatuses\": null}}");
    assertThat(pvNow().meta().annotations()).doesNotContainKey(Annotations.PRE_RESIZE_CAPACITY);
    assertThat(bench.driver().calls()).hasSize(1);
  }

  @Test
  void theFormerSizeIsNotedOnlyIfItIsWanted() { // RSZ-57
    wanted("2Gi");
    bench.driver().grows(it -> it.toBuilder().setNodeExpansionRequired(true).build());
    var d = ResizerOptions.DEFAULT;
    run(
        Reach.CONTROLLER,
        new ResizerOptions(d.timeout(), d.pace(), d.slow(), d.whileUsed(), false),
        bench.api());
    assertThat(pvNow().meta().annotations()).doesNotContainKey(Annotations.PRE_RESIZE_CAPACITY);
  }

  @Test
  void theDriverMayGiveMore() { // RSZ-44
    wanted("2Gi");
    bench.driver().grows(it -> it.toBuilder().setCapacityBytes(3 * GI).build());
    run();
    assertThat(pvNow().capacity()).isEqualTo(gi(3));
    assertThat(claimNow().capacity()).contains(gi(3));
    assertThat(claimNow().growth().allocated()).contains(gi(2));
  }

  @Test
  void butNotLess() { // RSZ-44
    wanted("2Gi");
    bench.driver().grows(it -> it.toBuilder().setCapacityBytes(GI).build());
    run();
    assertThat(pvNow().capacity()).isEqualTo(gi(1));
    assertThat(conditions()).containsExactly("Resizing WaitingForRetry", "ControllerResizeError");
    assertThat(bench.events()).last().asString().contains("after it was asked for " + 2 * GI);
  }

  @Test
  void withoutAControllerThatGrowsVolumesANodeDoesIt() { // RSZ-03
    wanted("2Gi");
    run(Reach.NODE, ResizerOptions.DEFAULT, bench.api());
    assertThat(bench.driver().calls()).isEmpty();
    assertThat(pvNow().capacity()).isEqualTo(gi(2));
    assertThat(claimNow().growth().stage()).isEqualTo(Stage.NODE_PENDING);
    assertThat(bench.events())
        .containsExactly(
            RESIZING, "FileSystemResizeRequired: Require file system resize of volume on node");
  }

  @Test
  void theSizeStandsInTheClaimBeforeTheDriverHearsOfIt() { // RSZ-35, RSZ-57
    wanted("2Gi");
    var seen = new ArrayList<String>();
    run(
        Reach.CONTROLLER,
        ResizerOptions.DEFAULT,
        watched(request -> seen.add(request + " " + bench.driver().calls().size())));
    assertThat(seen)
        .containsExactly(
            "patchStatus persistentvolumeclaims shop/data 0",
            "patch persistentvolumes " + VOLUME + " 1",
            "patchStatus persistentvolumeclaims shop/data 1");
  }

  @Test
  void aClaimThatHasChangedMeanwhileIsLookedAtAgainFirst() { // RSZ-35
    wanted("2Gi");
    var first = new ArrayList<>(List.of("first"));
    run(
        Reach.CONTROLLER,
        ResizerOptions.DEFAULT,
        watched(_ -> {
          if (first.isEmpty()) return;
          first.clear();
          ask("3Gi");
        }));
    bench.pass(Duration.ofSeconds(1));
    assertThat(bench.driver().calls()).containsExactly("Expand vol-1 " + 3 * GI);
  }

  @Test
  void whatTheDriverHasDoneIsNotAskedForAgainBecauseSomebodyElseWrites() { // RSZ-95
    wanted("2Gi");
    var requests = new ArrayList<String>();
    run(
        Reach.CONTROLLER,
        ResizerOptions.DEFAULT,
        watched(request -> {
          if (request.startsWith("patchStatus")) requests.add(request);
          if (requests.size() == 2 && bench.driver().calls().size() == 1)
            bench.patch(
                Resources.CLAIMS,
                "data",
                "{\"metadata\": {\"labels\": {\"n\": \"%d\"}}}".formatted(requests.size()));
        }));
    bench.pass(Duration.ofMinutes(1));

    assertThat(bench.driver().calls()).containsExactly("Expand vol-1 " + 2 * GI);
    assertThat(claimNow().capacity()).contains(gi(2));
  }

  @Test
  void contradictingModesAreToldWithTheSizeThatWasWanted() { // RSZ-35, RSZ-42
    wanted("2Gi");
    bench.patch(
        Resources.VOLUMES,
        VOLUME,
        "{\"spec\": {\"accessModes\": [\"ReadOnlyMany\", \"ReadWriteOnce\"]}}");
    run();

    assertThat(claimNow().growth().allocated()).contains(gi(2));
    assertThat(conditions()).containsExactly("Resizing");
    assertThat(bench.events())
        .first()
        .isEqualTo("Resizing: External resizer is resizing volume " + VOLUME);
    assertThat(bench.events()).last().asString().startsWith("VolumeResizeFailed: resize volume");
    assertThat(bench.driver().calls()).isEmpty();
  }

  private WatchedApi watched(Consumer<String> before) {
    return new WatchedApi(
        bench.api(),
        new WatchedApi.Guard() {
          @Override
          public void before(String request) {
            before.accept(request);
          }

          @Override
          public void after(String request) {}
        });
  }

  @Test
  void anUnknownOutcomeIsAskedForAgainWhateverTheClaimAsksForBythen() { // RSZ-32, RSZ-50, RSZ-56,
    // RSZ-104
    wanted("4Gi");
    bench.driver().losesAnswer();
    run();
    assertThat(claimNow().growth().stage()).isEqualTo(Stage.CONTROLLER_IN_PROGRESS);
    assertThat(conditions()).containsExactly("Resizing");
    assertThat(claimNow().condition("Resizing").orElseThrow().message())
        .isEqualTo(
            "driver disk.example makes the volume 4Gi large, from 1Gi; how the last attempt ended"
                + " is not known: rpc error: code = DeadlineExceeded desc = context deadline"
                + " exceeded");
    assertThat(bench.events())
        .containsExactly(
            RESIZING,
            "VolumeResizeFailed: resize volume \"%s\" by resizer \"disk.example\" failed: rpc error: code = DeadlineExceeded desc = context deadline exceeded"
                .formatted(VOLUME));

    ask("2Gi");
    bench.kill();
    run();
    assertThat(bench.driver().calls())
        .containsExactly("Expand vol-1 " + 4 * GI, "Expand vol-1 " + 4 * GI);
    assertThat(claimNow().capacity()).contains(gi(4));
  }

  @Test
  void afterARefusalASmallerSizeIsAskedForAlsoByTheNextProcess() { // RSZ-51, RSZ-54, RSZ-55
    wanted("4Gi");
    bench.driver().refuses(Code.INTERNAL, "no");
    run();
    assertThat(claimNow().growth().stage()).isEqualTo(Stage.CONTROLLER_IN_PROGRESS);
    assertThat(claimNow().condition("ControllerResizeError").map(ClaimCondition::message))
        .contains("failed to expand pvc with rpc error: code = Internal desc = no");
    bench.kill();
    ask("2Gi");
    run();
    assertThat(bench.driver().calls())
        .containsExactly("Expand vol-1 " + 4 * GI, "Expand vol-1 " + 2 * GI);
    assertThat(claimNow().capacity()).contains(gi(2));
    assertThat(claimNow().conditions()).isEmpty();
  }

  @Test
  void whatIsTriedAgainAfterARefusalIsUncertainAgain() { // RSZ-32
    wanted("4Gi");
    bench.driver().refuses(Code.INTERNAL, "no");
    bench.driver().losesAnswer();
    run();
    bench.pass(Duration.ofSeconds(1));
    assertThat(conditions()).containsExactly("Resizing", "ControllerResizeError");
    ask("2Gi");
    bench.pass(Duration.ofSeconds(5));
    assertThat(bench.driver().calls()).last().isEqualTo("Expand vol-1 " + 4 * GI);
  }

  /// It was infeasible once; that the driver is asked again leaves it open until it answers.
  @Test
  void noSmallerSizeIsAskedForWhileAnInfeasibleOneMayBeUnderWay() { // RSZ-32
    wanted("4Gi");
    bench.driver().refuses(Code.OUT_OF_RANGE, "too large");
    bench.driver().losesAnswer();
    run();
    bench.pass(Duration.ofMinutes(5).plusSeconds(1));
    assertThat(bench.driver().calls()).hasSize(2);
    ask("2Gi");
    bench.pass(Duration.ofSeconds(5));
    assertThat(bench.driver().calls()).hasSize(3).last().isEqualTo("Expand vol-1 " + 4 * GI);
  }

  @ParameterizedTest
  @ValueSource(strings = {"INVALID_ARGUMENT", "OUT_OF_RANGE", "NOT_FOUND"})
  void anInfeasibleSizeIsAskedForOnceInAWhile(String code) { // RSZ-33, RSZ-50, RSZ-53
    wanted("4Gi");
    bench.driver().refuses(Code.valueOf(code), "too large");
    run();
    assertThat(claimNow().growth().stage()).isEqualTo(Stage.CONTROLLER_INFEASIBLE);
    assertThat(conditions()).containsExactly("Resizing WaitingForRetry", "ControllerResizeError");
    bench.pass(Duration.ofMinutes(5));
    assertThat(bench.driver().calls()).hasSize(1);
    bench.pass(Duration.ofSeconds(2));
    assertThat(bench.driver().calls()).hasSize(2);
    assertThat(claimNow().capacity()).contains(gi(4));
  }

  @Test
  void aSmallerSizeIsAskedForAtOnce() { // EXPD-02, RSZ-34
    wanted("4Gi");
    bench.driver().refuses(Code.OUT_OF_RANGE, "too large");
    run();
    ask("2Gi");
    assertThat(bench.driver().calls())
        .containsExactly("Expand vol-1 " + 4 * GI, "Expand vol-1 " + 2 * GI);
    assertThat(claimNow().capacity()).contains(gi(2));
  }

  @Test
  void aSuccessorOfTheNameInheritsNothing() { // RSZ-55
    wanted("4Gi");
    bench.driver().refuses(Code.OUT_OF_RANGE, "too large");
    run();
    bench.patch(Resources.CLAIMS, "data", "{\"metadata\": {\"finalizers\": null}}");
    bench.delete(Resources.CLAIMS, "data");
    bench.patch(Resources.VOLUMES, VOLUME, "{\"metadata\": {\"finalizers\": null}}");
    bench.delete(Resources.VOLUMES, VOLUME);
    bench.create(
        claim()
            .with(VOLUME, "spec", "volumeName")
            .with("Bound", "status", "phase")
            .with(Map.of("storage", "1Gi"), "status", "capacity"));
    bench.create(PV.with(claimNow().meta().uid(), "spec", "claimRef", "uid"));
    ask("4Gi");
    bench.pass(Duration.ofSeconds(1));
    assertThat(claimNow().capacity()).contains(gi(4));
  }

  @Test
  void aVolumeInUseGrowsWhenItIsNotAnyMore() { // RSZ-60, RSZ-63
    wanted("2Gi");
    bench.driver().refuses(Code.FAILED_PRECONDITION, "in use");
    bench.create(pod("Running"));
    run();
    bench.pass(Duration.ofMinutes(10));
    assertThat(bench.driver().calls()).hasSize(1);
    assertThat(conditions()).containsExactly("Resizing VolumeInUse", "ControllerResizeError");
    assertThat(bench.events())
        .endsWith(
            "VolumeResizeFailed: Unable to expand shop/data because CSI driver disk.example only"
                + " supports offline expansion and volume is currently in-use");

    ask("3Gi"); // RSZ-38
    assertThat(claimNow().growth().allocated()).contains(gi(3));
    assertThat(bench.driver().calls()).hasSize(1);

    bench.patchStatus(Resources.PODS, "web", "{\"status\": {\"phase\": \"Succeeded\"}}");
    assertThat(bench.driver().calls()).last().isEqualTo("Expand vol-1 " + 3 * GI);
    assertThat(claimNow().capacity()).contains(gi(3));
  }

  @Test
  void withoutItsSecretTheDriverIsNotAsked() { // RSZ-10, RSZ-41
    wanted("2Gi");
    bench.patch(
        Resources.VOLUMES,
        VOLUME,
        "{\"spec\": {\"csi\": {\"controllerExpandSecretRef\": {\"name\": \"keys\", \"namespace\":"
            + " \"shop\"}}}}");
    run();
    assertThat(bench.driver().calls()).isEmpty();
    assertThat(bench.events())
        .endsWith(
            "VolumeResizeFailed: resize volume \"%s\" by resizer \"disk.example\" failed: error getting secret keys in namespace shop: secrets \"keys\" not found"
                .formatted(VOLUME));
    bench.create(
        Tree.of(
            "{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"metadata\": {\"name\": \"keys\","
                + " \"namespace\": \"shop\"}, \"data\": {\"user\": \"YW5uYQ==\"}}"));
    bench.pass(Duration.ofSeconds(2));
    assertThat(bench.driver().growths().getFirst().getSecretsMap())
        .isEqualTo(Map.of("user", "anna"));
    assertThat(claimNow().capacity()).contains(gi(2));
  }

  @Test
  void otherConditionsStay() { // RSZ-37
    wanted("2Gi");
    bench.patchStatus(
        Resources.CLAIMS,
        "data",
        "{\"status\": {\"conditions\": [{\"type\": \"Mine\", \"status\": \"True\"}, {\"type\":"
            + " \"NodeResizeError\", \"status\": \"True\"}]}}");
    run();
    assertThat(conditions()).containsExactly("Mine");
  }

  @Test
  void aFailureIsNotedThoughTheClaimHasChanged() { // RSZ-52
    wanted("4Gi");
    bench.driver().refuses(Code.OUT_OF_RANGE, "too large");
    var requests = new ArrayList<String>();
    run(
        Reach.CONTROLLER,
        ResizerOptions.DEFAULT,
        watched(request -> {
          requests.add(request);
          if (requests.size() == 2)
            bench.patch(Resources.CLAIMS, "data", "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}");
        }));
    assertThat(claimNow().growth().stage()).isEqualTo(Stage.CONTROLLER_INFEASIBLE);
    assertThat(bench.driver().calls()).hasSize(1);
  }

  @Test
  void aFailureIsTriedAgainLikeUpstreams() { // RSZ-40, RSZ-51
    wanted("2Gi");
    for (int i = 0; i < 3; i++) bench.driver().refuses(Code.INTERNAL, "no");
    run();
    var since = claimNow().condition("Resizing").flatMap(ClaimCondition::since);
    bench.pass(Duration.ofMillis(999));
    assertThat(bench.driver().calls()).hasSize(1);
    bench.pass(Duration.ofMillis(1));
    assertThat(bench.driver().calls()).hasSize(2);
    assertThat(claimNow().condition("Resizing").flatMap(ClaimCondition::since)).isEqualTo(since);
    bench.pass(Duration.ofSeconds(2));
    assertThat(bench.driver().calls()).hasSize(3);
    bench.pass(Duration.ofSeconds(4));
    assertThat(claimNow().capacity()).contains(gi(2));
  }

  @Test
  void whatConcernsOthersWakesNobody() { // RSZ-21, RSZ-25
    wanted("2Gi");
    run();
    var before = bench.json(Resources.CLAIMS, "data");
    bench.patch(Resources.VOLUMES, VOLUME, "{\"metadata\": {\"labels\": {\"a\": \"b\"}}}");
    bench.pass(Duration.ofHours(1));
    assertThat(bench.json(Resources.CLAIMS, "data")).isEqualTo(before);
    assertThat(bench.driver().calls()).hasSize(1);
  }
}
