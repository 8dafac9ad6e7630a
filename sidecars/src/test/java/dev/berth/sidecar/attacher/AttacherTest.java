package dev.berth.sidecar.attacher;

import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.attachment;
import static dev.berth.sidecar.testing.Objects.csiNode;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.fact.Told;
import dev.berth.kube.model.Attachment;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.testing.Balancer;
import dev.berth.sidecar.testing.Bench;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.WatchedApi;
import io.grpc.Status.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What becomes of attachments, on the real API and the real loop.
class AttacherTest {
  private static final Tree VOLUME_WITH_SECRET =
      volume()
          .with(
              Map.of("name", "keys", "namespace", "shop"),
              "spec",
              "csi",
              "controllerPublishSecretRef");
  private static final Tree SECRET =
      Tree.of("{\"apiVersion\": \"v1\", \"kind\": \"Secret\", \"data\": {\"user\": \"Ym9i\"}}")
          .named("keys")
          .with("shop", "metadata", "namespace");

  private static final String OURS = Finalizers.attacher(DRIVER);

  private final Bench bench = new Bench();

  @AfterEach
  void close() {
    bench.close();
  }

  private void run(DriverFacts driver, Api door) {
    var told = new Told<>(Audit.TOPIC);
    bench.run(
        (api, events) ->
            Attacher.of(driver, AttacherOptions.DEFAULT, told).controller(bench.means(api, events)),
        door,
        Sources.of(told));
  }

  private void run() {
    run(PLAIN, bench.api());
  }

  /// Runs with each request shown to `before` first.
  private void run(Consumer<String> before) {
    run(
        PLAIN,
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

  private Attachment va() {
    return bench.get(Kinds.ATTACHMENT, "va-1");
  }

  @Test
  void aWantedVolumeIsAttached() {
    bench.create(volume(), csiNode("n1"), attachment());
    run();

    assertThat(bench.driver().calls()).containsExactly("Publish vol-1 id-of-n1");
    assertThat(va().attached()).isTrue();
    assertThat(va().metadata()).isEqualTo(Map.of("lun", "7"));
    assertThat(va().meta().finalizers()).containsExactly(OURS);
    assertThat(va().meta().annotations())
        .containsEntry(Annotations.ATTACHMENT_NODE_ID, "id-of-n1")
        .containsEntry(Annotations.ATTACHMENT_HANDLE, "vol-1");
    assertThat(bench.get(Kinds.VOLUME, VOLUME).meta().finalizers()).contains(OURS);
  }

  @Test
  void everythingIsHeldBeforeTheDriverHearsOfIt() { // AD-70, ATT-36, ATT-40
    var held = new ArrayList<Boolean>();
    bench.create(volume(), csiNode("n1"), attachment());
    run(request -> {
      if (request.startsWith("patchStatus volumeattachments")) {
        held.add(va().meta().hasFinalizer(OURS));
        held.add(bench.get(Kinds.VOLUME, VOLUME).meta().hasFinalizer(OURS));
      }
    });

    assertThat(held).containsExactly(true, true);
  }

  @Test
  void aRefusalIsToldInGoForm() { // ATT-45, ATT-46, ATT-52
    bench.driver().refuses(Code.RESOURCE_EXHAUSTED, "no slot on id-of-n1");
    bench.create(volume(), csiNode("n1"), attachment());
    run();

    var text = "rpc error: code = ResourceExhausted desc = no slot on id-of-n1";
    var error = va().attachError().orElseThrow();
    assertThat(error.message()).isEqualTo(text);
    assertThat(error.code()).isEqualTo(OptionalInt.of(8));
    assertThat(error.time()).isEqualTo(bench.time().now());
    assertThat(va().attached()).isFalse();
    assertThat(bench.events()).containsExactly("ControllerPublishFailed: " + text);

    bench.pass(Duration.ofMillis(999));
    assertThat(bench.driver().calls()).hasSize(1);
    bench.pass(Duration.ofMillis(1));
    assertThat(va().attached()).isTrue();
    assertThat(va().attachError()).isEmpty();
  }

  /// Its own word about a failure comes back as a change of the attachment: it is no reason to
  /// hurry.
  @Test
  void whatItWroteItselfDefeatsNoPause() { // ATT-15, ATT-17
    for (int i = 0; i < 9; i++) bench.driver().refuses(Code.INTERNAL, "busy " + i);
    bench.create(volume(), csiNode("n1"), attachment());
    run();

    for (int tries = 1; tries <= 5; tries++) {
      assertThat(bench.driver().calls()).hasSize(tries);
      assertThat(va().attachError().orElseThrow().message()).endsWith("busy " + (tries - 1));
      bench.pass(Duration.ofMillis((1000L << (tries - 1)) - 1));
      assertThat(bench.driver().calls()).hasSize(tries);
      bench.pass(Duration.ofMillis(1));
    }
  }

  /// Many may read an attachment.
  @Test
  void noSecretStandsInWhatIsTold() { // ATT-51
    bench.driver().refuses(Code.PERMISSION_DENIED, "login refused");
    bench.create(SECRET, VOLUME_WITH_SECRET, csiNode("n1"), attachment());
    run();

    assertThat(bench.json(Resources.ATTACHMENTS, "va-1").toString())
        .contains("login refused")
        .doesNotContain("bob");
    assertThat(bench.events()).noneMatch(it -> it.contains("bob"));
  }

  /// ATT-50: the driver's word and its pause stand, whether or not they can be saved.
  @Test
  void aRefusalThatCannotBeSavedIsARefusalAllTheSame() {
    bench.driver().refuses(Code.RESOURCE_EXHAUSTED, "no slot on id-of-n1");
    bench.create(volume(), csiNode("n1"), attachment());
    var lost = new AtomicInteger();
    run(request -> {
      if (!request.equals("patchStatus volumeattachments va-1") || lost.getAndIncrement() > 0)
        return;
      throw new ApiException(500, "InternalError", "the disk is full");
    });
    assertThat(lost).as("the write was tried").hasValue(1);
    assertThat(va().attachError()).isEmpty();
    assertThat(bench.events())
        .containsExactly(
            "ControllerPublishFailed: rpc error: code = ResourceExhausted desc = no slot on"
                + " id-of-n1");
    bench.pass(Duration.ofMillis(999));
    assertThat(bench.driver().calls()).hasSize(1);
    bench.pass(Duration.ofMillis(1));
    assertThat(va().attached()).isTrue();
  }

  @Test
  void aNodeThatRegistersLateIsNotWaitedForLong() { // AD-71, ATT-38, ATT-43
    bench.create(volume(), attachment());
    run();
    assertThat(va().attachError().orElseThrow().message())
        .isEqualTo("csinode.storage.k8s.io \"n1\" not found");
    assertThat(va().meta().finalizers()).isEmpty(); // ATT-40

    bench.create(csiNode("n1"));
    bench.time().settle();

    assertThat(va().attached()).isTrue();
  }

  @Test
  void withoutItsSecretAnAttachmentIsNotHeld() { // ATT-40
    bench.create(VOLUME_WITH_SECRET, csiNode("n1"), attachment());
    run();

    assertThat(va().attachError().orElseThrow().message()).isEqualTo("secrets \"keys\" not found");
    assertThat(va().attachError().orElseThrow().code()).isEmpty();
    assertThat(va().meta().finalizers()).isEmpty();
    assertThat(bench.driver().calls()).isEmpty();

    bench.delete(Resources.ATTACHMENTS, "va-1");
    assertThat(bench.all(Kinds.ATTACHMENT)).isEmpty();
  }

  /// ATT-57, ATT-62: a Secret that is missing for a while is waited for, one that is gone for good
  /// keeps no volume attached for ever.
  @Test
  void withoutItsSecretAVolumeIsDetachedAtLast() {
    bench.create(SECRET, VOLUME_WITH_SECRET, csiNode("n1"), attachment());
    run();
    bench.delete(Resources.SECRETS, "keys");
    bench.delete(Resources.ATTACHMENTS, "va-1");
    bench.pass(Duration.ofMinutes(4));

    assertThat(bench.driver().calls()).containsExactly("Publish vol-1 id-of-n1");
    assertThat(va().detachError().orElseThrow().message()).isEqualTo("secrets \"keys\" not found");

    bench.pass(Duration.ofMinutes(6));
    assertThat(bench.driver().calls())
        .containsExactly("Publish vol-1 id-of-n1", "Unpublish vol-1 id-of-n1");
    assertThat(bench.all(Kinds.ATTACHMENT)).isEmpty();
    assertThat(bench.events())
        .contains(
            "ControllerUnpublishFailed: secrets \"keys\" not found for PT5M or more: detached"
                + " without it");
  }

  /// ATT-62: that a Secret is gone only its server says.
  @Test
  void aBalancersPageDetachesNothing() throws Exception {
    bench.create(SECRET, VOLUME_WITH_SECRET, csiNode("n1"), attachment());
    var isLost = new AtomicBoolean();
    try (var balancer = new Balancer()) {
      run(
          PLAIN,
          new WatchedApi(
              bench.api(),
              new WatchedApi.Guard() {
                @Override
                public void before(String request) {
                  if (isLost.get() && request.startsWith("get secrets"))
                    balancer.api().get(Resources.SECRETS, ObjectKey.of("shop", "keys"));
                }

                @Override
                public void after(String request) {}
              }));
      isLost.set(true);
      bench.delete(Resources.ATTACHMENTS, "va-1");
      bench.pass(Duration.ofMinutes(10));
      assertThat(bench.driver().calls()).containsExactly("Publish vol-1 id-of-n1");
      assertThat(va().meta().finalizers()).containsExactly(OURS);
      isLost.set(false);
      bench.pass(Duration.ofMinutes(6));
      assertThat(bench.driver().calls())
          .containsExactly("Publish vol-1 id-of-n1", "Unpublish vol-1 id-of-n1");
    }
  }

  @Test
  void anAnswerThatIsNotSavedIsAskedForAgain() { // ATT-39
    var failures = new ArrayList<>(List.of("first"));
    bench.create(volume(), csiNode("n1"), attachment());
    run(request -> {
      if (request.startsWith("patchStatus") && !failures.isEmpty()) {
        failures.removeFirst();
        throw new ApiException(500, "InternalError", "not now");
      }
    });
    bench.pass(Duration.ofSeconds(1));

    assertThat(bench.driver().calls())
        .containsExactly("Publish vol-1 id-of-n1", "Publish vol-1 id-of-n1");
    assertThat(va().attached()).isTrue();
  }

  @Test
  void anAnswerIsNotSavedInAnotherAttachmentOfThatName() { // ATT-39, AD-63
    var answers = new ArrayList<>(List.of("first"));
    bench.create(volume(), csiNode("n1"), attachment());
    run(request -> {
      if (!request.startsWith("patchStatus") || answers.isEmpty()) return;
      answers.removeFirst();
      bench.patch(Resources.ATTACHMENTS, "va-1", "{\"metadata\": {\"finalizers\": null}}");
      bench.delete(Resources.ATTACHMENTS, "va-1");
      bench.create(attachment());
    });
    bench.pass(Duration.ofSeconds(1));

    assertThat(bench.driver().calls())
        .containsExactly("Publish vol-1 id-of-n1", "Publish vol-1 id-of-n1");
    assertThat(va().meta().finalizers()).containsExactly(OURS);
    assertThat(va().attached()).isTrue();
  }

  @Test
  void anUnwantedVolumeIsDetachedOnceAndTheAttachmentGoes() { // AD-70, ATT-59
    bench.create(volume(), csiNode("n1"), attachment());
    run();
    bench.delete(Resources.ATTACHMENTS, "va-1");
    bench.pass(Duration.ofMinutes(10));

    assertThat(bench.all(Kinds.ATTACHMENT)).isEmpty();
    assertThat(bench.driver().calls())
        .containsExactly("Publish vol-1 id-of-n1", "Unpublish vol-1 id-of-n1");
  }

  @Test
  void alsoIfSomebodyElseHoldsTheAttachment() { // ATT-59
    bench.create(volume(), csiNode("n1"), attachment().finalizers("example.com/other"));
    run();
    bench.delete(Resources.ATTACHMENTS, "va-1");
    bench.pass(Duration.ofMinutes(10));

    assertThat(va().attached()).isFalse();
    assertThat(va().metadata()).isEmpty();
    assertThat(va().meta().finalizers()).containsExactly("example.com/other");
    assertThat(bench.driver().calls())
        .containsExactly("Publish vol-1 id-of-n1", "Unpublish vol-1 id-of-n1");
  }

  @Test
  void anAttachmentWithoutAKnownOutcomeIsDetached() { // ATT-56
    bench.driver().losesAnswer();
    bench.create(volume(), csiNode("n1"), attachment());
    run();
    assertThat(va().attached()).isFalse();

    bench.delete(Resources.ATTACHMENTS, "va-1");

    assertThat(bench.driver().published()).isEmpty();
    assertThat(bench.all(Kinds.ATTACHMENT)).isEmpty();
  }

  @Test
  void aFailedDetachmentIsToldAndTriedAgain() { // ATT-49, ATT-58
    bench.create(volume(), csiNode("n1"), attachment());
    run();
    bench.driver().refuses(Code.NOT_FOUND, "no such node");
    bench.delete(Resources.ATTACHMENTS, "va-1");

    var error = va().detachError().orElseThrow();
    assertThat(error.message()).isEqualTo("rpc error: code = NotFound desc = no such node");
    assertThat(error.code()).isEqualTo(OptionalInt.of(5));
    assertThat(va().attached()).isTrue();

    bench.pass(Duration.ofSeconds(1));
    assertThat(bench.all(Kinds.ATTACHMENT)).isEmpty();
  }

  @Test
  void aVolumeIsDetachedFromANodeThatIsGone() { // AD-71, ATT-60
    bench.create(volume(), csiNode("n1"), attachment());
    run();
    bench.delete(Resources.CSI_NODES, "n1");
    bench.delete(Resources.ATTACHMENTS, "va-1");

    assertThat(bench.driver().calls()).last().isEqualTo("Unpublish vol-1 id-of-n1");
    assertThat(bench.all(Kinds.ATTACHMENT)).isEmpty();
  }

  @Test
  void aVolumeOnItsWayOutIsLetGoWhenNothingAttachesIt() { // ATT-18, ATT-75, ATT-79
    bench.create(volume().finalizers(), csiNode("n1"), attachment());
    run();
    bench.delete(Resources.VOLUMES, VOLUME);
    assertThat(bench.get(Kinds.VOLUME, VOLUME).meta().finalizers()).contains(OURS);

    bench.delete(Resources.ATTACHMENTS, "va-1");

    assertThat(bench.get(Kinds.VOLUME, VOLUME).meta().finalizers())
        .containsExactly(Finalizers.PV_PROTECTION);
  }

  @Test
  void aDriverThatAttachesNothingIsNotAsked() { // ATT-25
    bench.create(volume(), csiNode("n1"), attachment());
    run(driver(), bench.api());

    assertThat(va().attached()).isTrue();
    assertThat(va().meta().finalizers()).isEmpty();
    assertThat(bench.driver().calls()).isEmpty();

    bench.delete(Resources.ATTACHMENTS, "va-1");
    assertThat(bench.all(Kinds.ATTACHMENT)).isEmpty();
  }

  @Test
  void aDriverThatAttachesNothingAnyMoreHoldsNothing() { // ATT-25
    bench.create(volume(), csiNode("n1"), attachment().finalizers(Finalizers.attacher(DRIVER)));
    run(driver(), bench.api());
    assertThat(va().attached()).isTrue();

    bench.delete(Resources.ATTACHMENTS, "va-1");

    assertThat(bench.all(Kinds.ATTACHMENT)).isEmpty();
    assertThat(bench.driver().calls()).isEmpty();
  }

  @Test
  void anotherDriversAttachmentIsNotTouched() { // ATT-16
    var foreign = attachment().with("other.example", "spec", "attacher");
    bench.create(volume(), csiNode("n1"), foreign);
    run();
    var before = bench.json(Resources.ATTACHMENTS, "va-1");
    bench.pass(Duration.ofMinutes(1));

    assertThat(bench.json(Resources.ATTACHMENTS, "va-1")).isEqualTo(before);
    assertThat(Tree.of(before.toString()).json().at("/metadata/finalizers").isMissingNode())
        .isTrue();
  }
}
