package dev.berth.sidecar.modifier;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.MODIFY_VOLUME;
import static dev.berth.sidecar.modifier.Modifying.GOLD;
import static dev.berth.sidecar.modifier.Modifying.PV;
import static dev.berth.sidecar.modifier.Modifying.attributes;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.driver;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.Api;
import dev.berth.kube.loop.Controller;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimModification;
import dev.berth.kube.model.ClaimModification.State;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.Turns;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.WatchedApi;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What becomes of claims that ask for other attributes, on the real API and the real loop.
class ModifierTest {
  private static final String MODIFIES =
      "VolumeModify: external resizer is modifying volume data with vac ";

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void run() {
    run(bench.api());
  }

  private void run(Api door) {
    bench.run(
        (api, events) ->
            new Controller<>(
                new Modifier(driver(MODIFY_VOLUME), ModifierOptions.DEFAULT),
                new ModifyEffects(bench.driver(), api, events, bench.time(), new Turns())),
        door);
  }

  private void run(Consumer<String> before) {
    run(
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                before.accept(request);
              }

              @Override
              public void after(String request) {}
            }));
  }

  private void wanted(String attributesClass) {
    bench.create(
        claim()
            .with(VOLUME, "spec", "volumeName")
            .with(attributesClass, "spec", "volumeAttributesClassName")
            .with("Bound", "status", "phase")
            .with(Map.of("storage", "1Gi"), "status", "capacity"));
    bench.create(PV.with(claimNow().meta().uid(), "spec", "claimRef", "uid"));
  }

  private void ask(String attributesClass) {
    bench.patch(
        Resources.CLAIMS,
        "data",
        "{\"spec\": {\"volumeAttributesClassName\": \"%s\"}}".formatted(attributesClass));
  }

  private Claim claimNow() {
    return bench.get(Kinds.CLAIM, "data");
  }

  private List<String> conditions() {
    return claimNow().conditions().stream()
        .map(it -> "%s %s %s".formatted(it.type(), it.reason(), it.message()))
        .toList();
  }

  private void isDone(String attributesClass) {
    assertThat(claimNow().currentAttributesClass()).isEqualTo(attributesClass);
    assertThat(claimNow().modification()).isEmpty();
    assertThat(claimNow().conditions()).isEmpty();
    assertThat(bench.get(Kinds.VOLUME, VOLUME).attributesClassName()).isEqualTo(attributesClass);
  }

  @Test
  void aVolumeIsGivenWhatItsClaimAsksFor() { // RSZ-83, RSZ-86
    bench.create(GOLD);
    wanted("gold");
    var seen = new ArrayList<String>();
    run(request -> seen.add(request + " " + bench.driver().calls().size()));

    isDone("gold");
    assertThat(bench.driver().calls()).containsExactly("Modify vol-1 {iops=4000}");
    assertThat(seen)
        .containsExactly(
            "patchStatus persistentvolumeclaims shop/data 0",
            "patch persistentvolumes " + VOLUME + " 1",
            "patchStatus persistentvolumeclaims shop/data 1");
    assertThat(bench.events())
        .containsExactly(
            MODIFIES + "gold",
            "VolumeModifySuccessful: external resizer modified volume data with vac gold"
                + " successfully");
  }

  @Test
  void whatIsBegunStandsInTheClaim() { // RSZ-83, VAC-03
    bench.create(GOLD);
    wanted("gold");
    var begun = new ArrayList<String>();
    run(request -> {
      if (request.startsWith("patch persistentvolumes")) begun.addAll(conditions());
    });
    assertThat(begun)
        .containsExactly("ModifyingVolume  Modifying volume to \"gold\" is in progress.");
  }

  @Test
  void aMissingClassIsWaitedForAndSeenWhenItComes() { // RSZ-83, VAC-03, RSZ-90
    wanted("gold");
    run();
    assertThat(claimNow().modification()).contains(new ClaimModification("", State.PENDING));
    assertThat(bench.events()).containsExactly("VolumeModifyFailed: VAC \"gold\" does not exist.");
    bench.pass(Duration.ofMinutes(10));
    assertThat(bench.events()).hasSize(1);

    bench.create(GOLD);
    bench.time().settle();
    isDone("gold");
  }

  @Test
  void parametersThatTheDriverRefusesAreTriedOnceInAWhile() { // RSZ-81, RSZ-87, RSZ-91
    bench.create(GOLD);
    wanted("gold");
    bench.driver().refuses(Code.INVALID_ARGUMENT, "too fast");
    run();

    assertThat(claimNow().modification()).contains(new ClaimModification("gold", State.INFEASIBLE));
    assertThat(conditions())
        .containsExactly(
            "ModifyingVolume  Modifying volume to \"gold\" failed. Waiting for retry.",
            "ModifyVolumeError InvalidArgument too fast");
    assertThat(bench.events())
        .containsExactly(
            MODIFIES + "gold",
            "VolumeModifyFailed: rpc error: code = InvalidArgument desc = too fast");
    bench.pass(Duration.ofMinutes(5));
    assertThat(bench.driver().calls()).hasSize(1);
    bench.pass(Duration.ofSeconds(2));
    isDone("gold");
  }

  @Test
  void anotherClassIsTriedAtOnce() { // RSZ-81
    bench.create(GOLD, attributes("tin", DRIVER, Map.of("iops", "10")));
    wanted("gold");
    bench.driver().refuses(Code.INVALID_ARGUMENT, "too fast");
    run();
    ask("tin");
    isDone("tin");
  }

  @Test
  void otherRefusalsAreTriedAgain() { // RSZ-87
    bench.create(GOLD);
    wanted("gold");
    bench.driver().refuses(Code.NOT_FOUND, "no such volume");
    run();
    assertThat(claimNow().modification())
        .contains(new ClaimModification("gold", State.IN_PROGRESS));
    assertThat(conditions()).last().isEqualTo("ModifyVolumeError NotFound no such volume");
    bench.pass(Duration.ofSeconds(1));
    isDone("gold");
  }

  @Test
  void anUnknownOutcomeIsEndedBeforeAnotherClassIsTried() { // RSZ-82
    bench.create(GOLD, attributes("tin", DRIVER, Map.of("iops", "10")));
    wanted("gold");
    bench.driver().losesAnswer();
    run();
    assertThat(conditions())
        .containsExactly(
            "ModifyingVolume  Modifying volume to \"gold\" is still in progress.",
            "ModifyVolumeError DeadlineExceeded context deadline exceeded");
    assertThat(bench.events())
        .endsWith(
            "VolumeModifyFailed: rpc error: code = DeadlineExceeded desc = context deadline"
                + " exceeded. Still modifying to VAC gold");
    bench.kill();
    ask("tin");
    run();
    isDone("tin");
    assertThat(bench.driver().calls())
        .containsExactly(
            "Modify vol-1 {iops=4000}", "Modify vol-1 {iops=4000}", "Modify vol-1 {iops=10}");
  }

  @Test
  void conditionsTellSinceWhenAndWhenLast() { // RSZ-87
    bench.create(GOLD);
    wanted("gold");
    bench.driver().refuses(Code.INTERNAL, "no");
    bench.driver().refuses(Code.INTERNAL, "no");
    run();
    var first = claimNow().condition("ModifyVolumeError").orElseThrow();
    bench.pass(Duration.ofSeconds(1));
    var second = claimNow().condition("ModifyVolumeError").orElseThrow();
    assertThat(second.since()).isEqualTo(first.since());
    assertThat(second.probed()).isEqualTo(first.probed().map(it -> it.plusSeconds(1)));
  }

  @Test
  void withoutItsSecretTheDriverIsNotAskedAndThatIsTold() { // RSZ-85, RSZ-93
    bench.create(GOLD);
    wanted("gold");
    bench.patch(
        Resources.VOLUMES,
        VOLUME,
        "{\"spec\": {\"csi\": {\"controllerExpandSecretRef\": {\"name\": \"keys\", \"namespace\":"
            + " \"shop\"}}}}");
    run();
    assertThat(bench.driver().calls()).isEmpty();
    assertThat(bench.events())
        .endsWith(
            "VolumeModifyFailed: error getting secret keys in namespace shop: secrets \"keys\" not"
                + " found. Still modifying to VAC gold");
    assertThat(conditions())
        .last()
        .asString()
        .startsWith("ModifyVolumeError Unknown error getting");
  }

  @Test
  void anotherDriversClassIsNotHandedOn() { // RSZ-92
    bench.create(attributes("gold", "other.example", Map.of("a", "b")));
    wanted("gold");
    run();
    assertThat(bench.events())
        .containsExactly(
            "VolumeModifyFailed: VolumeAttributesClass gold is for driver other.example, and the"
                + " volume is one of driver disk.example");
    bench.pass(Duration.ofHours(1));
    assertThat(bench.driver().calls()).isEmpty();
    assertThat(claimNow().modification()).contains(new ClaimModification("gold", State.INFEASIBLE));
  }

  /// The process is gone: nothing that it was about to do happens.
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  @Test
  void killedAnywhereItDoesTheSameAgain() { // RSZ-82, RSZ-86
    for (int at = 0; at < 6; at++) {
      var life = new ModifierTest();
      try {
        life.killedAt(at);
        life.isDone("gold");
        assertThat(life.bench.driver().calls()).as("killed at " + at).hasSizeBetween(1, 2);
      } finally {
        life.close();
      }
    }
  }

  private void killedAt(int at) {
    bench.create(GOLD);
    wanted("gold");
    var passed = new ArrayList<String>();
    run(
        new WatchedApi(
            bench.api(),
            new WatchedApi.Guard() {
              @Override
              public void before(String request) {
                pass(request);
              }

              @Override
              public void after(String request) {
                pass(request);
              }

              private void pass(String request) {
                passed.add(request);
                if (passed.size() > at) throw new Killed();
              }
            }));
    bench.kill();
    run();
    bench.pass(Duration.ofSeconds(10));
  }
}
