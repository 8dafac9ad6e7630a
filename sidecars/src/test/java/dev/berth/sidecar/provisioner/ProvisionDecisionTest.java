package dev.berth.sidecar.provisioner;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.sidecar.testing.Objects.DRIVER;
import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.WITH_TOPOLOGY;
import static dev.berth.sidecar.testing.Objects.claim;
import static dev.berth.sidecar.testing.Objects.csiNode;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.node;
import static dev.berth.sidecar.testing.Objects.onNode;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static dev.berth.sidecar.testing.Objects.volume;
import static dev.berth.sidecar.testing.Objects.waitingClass;
import static dev.berth.sidecar.testing.Rule.act;
import static dev.berth.sidecar.testing.Rule.complains;
import static dev.berth.sidecar.testing.Rule.effect;
import static dev.berth.sidecar.testing.Rule.rule;
import static dev.berth.sidecar.testing.Rule.settled;
import static dev.berth.sidecar.testing.Rule.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.ProvisionEffect.Forget;
import dev.berth.sidecar.provisioner.ProvisionEffect.Provision;
import dev.berth.sidecar.provisioner.ProvisionEffect.Reschedule;
import dev.berth.sidecar.provisioner.intent.Attributes;
import dev.berth.sidecar.provisioner.intent.Begun;
import dev.berth.sidecar.provisioner.intent.Intent;
import dev.berth.sidecar.provisioner.intent.Recipe;
import dev.berth.sidecar.provisioner.topology.Segment;
import dev.berth.sidecar.provisioner.topology.Segments;
import dev.berth.sidecar.source.Source;
import dev.berth.sidecar.testing.Rule;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.World;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ProvisionDecisionTest {
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
  private static final String CLAIM = "persistentvolumeclaim/data";
  private static final String CLASS = "storageclass/fast";
  private static final World WANTED = World.of(storageClass(), claim());
  private static final String INTENT_FIELD =
      "metadata.annotations[" + Annotations.PROVISIONING_INTENT + "]";
  private static final Intent INTENT = intent(storageClass());
  private static final World BEGUN = WANTED.with(begun(claim()));

  static final List<Rule> rules =
      List.of(
          rule("PROV-11", "a claim of our driver gets a volume")
              .given(WANTED)
              .then(ProvisionDecisionTest::creates),
          rule("PROV-10", "the older annotation counts where the newer is absent")
              .given(with(unclaimed().annotated(Annotations.BETA_STORAGE_PROVISIONER, DRIVER)))
              .then(ProvisionDecisionTest::creates),
          rule("PROV-10", "the newer annotation counts before the older")
              .given(
                  with(
                      claim()
                          .annotated(Annotations.STORAGE_PROVISIONER, "other.example")
                          .annotated(Annotations.BETA_STORAGE_PROVISIONER, DRIVER)))
              .then(settled()),
          rule("PROV-11", "a claim that nobody gave to us is left alone")
              .given(with(unclaimed()))
              .then(settled()),
          rule("PROV-12", "a claim with a volume is left alone")
              .given(with(claim().with("pv-1", "spec", "volumeName")))
              .then(settled()),
          rule("PROV-13", "a missing class is waited for, and told of")
              .given(WANTED.without(storageClass()))
              .then(complains(CLASS, "", "\"fast\" not found")),
          rule("PROV-13", "the legacy class annotation wins")
              .given(with(claim().annotated(Annotations.BETA_STORAGE_CLASS, "slow")))
              .then(complains("storageclass/slow", "", "\"slow\" not found")),
          rule("PROV-14", "a waiting class needs a selected node")
              .given(WANTED.with(waitingClass()))
              .then(waits(CLAIM, "metadata.annotations[" + Annotations.SELECTED_NODE + "]")),
          rule("PROV-14", "and gets a volume when there is one")
              .given(WANTED.with(waitingClass(), selected("n1")))
              .then(ProvisionDecisionTest::creates),
          rule("PROV-16", "a volume that is saved is not created again")
              .given(WANTED.with(volume()))
              .then(settled()),
          rule("PROV-106", "another claim's volume of that name is told of")
              .given(WANTED.with(volume().with("other", "spec", "claimRef", "uid")))
              .then(complains("persistentvolume/" + VOLUME, "", "already exists")),
          rule("PROV-17", "a class that went to another driver is left alone")
              .given(WANTED.with(storageClass().with("other.example", "provisioner")))
              .then(settled()),
          rule("PROV-18", "a selector is refused")
              .given(with(claim().with(Map.of("a", "b"), "spec", "selector", "matchLabels")))
              .then(complains(CLAIM, "spec.selector", "Selector is not supported")),
          rule("PROV-40", "of two complaints that of the data source wins")
              .given(
                  with(
                      source("VolumeSnapshot", "other.example")
                          .with(Map.of("a", "b"), "spec", "selector", "matchLabels")))
              .then(complains(CLAIM, "spec.dataSourceRef", "right APIGroup")),
          rule("PROV-20", "a claim that is being deleted is not begun")
              .given(with(claim().deleting()))
              .then(settled()),
          rule("PROV-34", "two file system types are refused")
              .given(
                  WANTED.with(
                      storageClass()
                          .with("ext4", "parameters", "fsType")
                          .with("xfs", "parameters", "csi.storage.k8s.io/fstype")))
              .then(complains(CLASS, "parameters", "fstype specified in parameters with both")),
          rule("PROV-35", "an unknown parameter of our own is refused")
              .given(WANTED.with(storageClass().with("x", "parameters", "csi.storage.k8s.io/typo")))
              .then(complains(CLASS, "parameters", "csi.storage.k8s.io/typo")),
          rule("PROV-51", "half a Secret is refused")
              .given(
                  WANTED.with(
                      storageClass()
                          .with("x", "parameters", "csi.storage.k8s.io/node-stage-secret-name")))
              .then(complains(CLASS, "parameters", "without the Secret's namespace")),
          rule("PROV-64", "a foreign data source is left to its populator")
              .given(with(source("Bucket", "")))
              .then(complains(CLAIM, "spec.volumeName", "external populator")),
          rule("PROV-180", "and told of in the name that upstream has for it")
              .given(with(source("Bucket", "")))
              .then(step ->
                  assertThat(((Wait) step).notice().orElseThrow().component())
                      .hasValue("external-provisioner")),
          rule("PROV-63", "a snapshot needs a driver that takes some")
              .given(with(source("VolumeSnapshot", "snapshot.storage.k8s.io")))
              .then(complains(CLAIM, "spec", "CREATE_DELETE_SNAPSHOT capability is not reported")),
          rule("PROV-63", "a snapshot of another group is none")
              .given(with(source("VolumeSnapshot", "other.example")))
              .then(complains(CLAIM, "spec.dataSourceRef", "right APIGroup")),
          rule("PROV-63", "a copy needs a driver that makes some")
              .given(with(source("PersistentVolumeClaim", "")))
              .then(complains(CLAIM, "spec", "CLONE_VOLUME capability is not reported")),
          rule("PROV-60", "a source has a name")
              .given(
                  with(
                      claim()
                          .with(
                              Map.of("kind", "PersistentVolumeClaim", "name", ""),
                              "spec",
                              "dataSource")))
              .then(complains(CLAIM, "spec.dataSourceRef", "PVC source not found for PVC data")),
          rule("PROV-61", "a source in a named namespace is refused while that is switched off")
              .given(
                  with(
                      claim()
                          .with(
                              Map.of("kind", "Bucket", "name", "x", "namespace", "shop"),
                              "spec",
                              "dataSourceRef")))
              .then(complains(CLAIM, "spec.dataSourceRef", "feature is disabled")),
          rule("PROV-38", "attributes need a driver that can change them")
              .given(with(claim().with("gold", "spec", "volumeAttributesClassName")))
              .then(complains(CLAIM, "spec", "MODIFY_VOLUME capability is not reported")),
          rule("PROV-120", "a hopeless request is not repeated at once")
              .given(with(refused("2026-01-01T00:58:00Z", "class-1")))
              .then(waits(CLASS, "parameters")),
          rule("PROV-120", "but after a while")
              .given(with(refused("2026-01-01T00:54:00Z", "class-1")))
              .then(ProvisionDecisionTest::creates),
          rule("PROV-120", "or if the class is another")
              .given(with(refused("2026-01-01T00:58:00Z", "class-0")))
              .then(ProvisionDecisionTest::creates),
          rule("PROV-120", "or if the claim asks for another size")
              .given(
                  with(
                      refused("2026-01-01T00:58:00Z", "class-1")
                          .with("2Gi", "spec", "resources", "requests", "storage")))
              .then(ProvisionDecisionTest::creates),
          rule("PROV-121", "a claim that is not ours waits for nothing")
              .given(
                  with(
                      refused("2026-01-01T00:58:00Z", "class-1")
                          .with("pv-1", "spec", "volumeName")))
              .then(settled()),
          rule("PROV-191", "what is begun is finished")
              .given(BEGUN)
              .then(ProvisionDecisionTest::creates),
          rule("PROV-113", "even if the claim is being deleted")
              .given(WANTED.with(begun(claim()).deleting()))
              .then(ProvisionDecisionTest::creates),
          rule("PROV-113", "even if the class is gone")
              .given(BEGUN.without(storageClass()))
              .then(ProvisionDecisionTest::creates),
          rule("PROV-113", "with the request as it was, even if the class is another")
              .given(BEGUN.with(storageClass().with("silver", "parameters", "tier")))
              .then(ProvisionDecisionTest::creates),
          rule("PROV-113", "even if the claim has been bound elsewhere")
              .given(WANTED.with(begun(claim()).with("pv-1", "spec", "volumeName")))
              .then(ProvisionDecisionTest::creates),
          rule("PROV-191", "what is saved is the binder's")
              .given(BEGUN.with(volume()))
              .then(settled()),
          rule("PROV-191", "and forgotten when the claim is bound")
              .given(WANTED.with(begun(claim().with("Bound", "status", "phase")), volume()))
              .then(act(new Forget(new Seen<>(claim().as(Kinds.CLAIM))))),
          rule("PROV-191", "or when the claim goes")
              .given(WANTED.with(begun(claim()).deleting(), volume()))
              .then(act(new Forget(new Seen<>(claim().as(Kinds.CLAIM))))),
          rule("PROV-191", "another driver's intent is left to it")
              .given(
                  with(
                      unclaimed()
                          .annotated(
                              Annotations.PROVISIONING_INTENT,
                              INTENT.write().replace(DRIVER, "other.example"))))
              .then(settled()),
          rule("PROV-191", "and waited for if the claim is now ours")
              .given(with(noted(INTENT.write().replace(DRIVER, "other.example"))))
              .then(waits(CLAIM, INTENT_FIELD)),
          rule("PROV-191", "an intent that is damaged is waited for")
              .given(with(noted(INTENT.write().substring(0, 40))))
              .then(complains(CLAIM, INTENT_FIELD, "a volume may exist: it is not JSON")),
          rule("PROV-191", "an intent of a later version is waited for")
              .given(with(noted(INTENT.write().replaceFirst("\\{", "{\"copies\":\"2\","))))
              .then(complains(CLAIM, INTENT_FIELD, "a field copies that this version does not")),
          rule("PROV-191", "or one that says so")
              .given(with(noted(INTENT.write().replaceFirst("\\{", "{\"version\": 4,"))))
              .then(complains(CLAIM, INTENT_FIELD, "it is of version 4, later than 3")),
          rule("PROV-191", "also if what it says of the class is")
              .given(with(noted(INTENT.write().replace("\"uid\"", "\"tier\":\"x\",\"uid\""))))
              .then(complains(CLAIM, INTENT_FIELD, "a field tier that this version does not")),
          rule("PROV-191", "an intent without a volume is waited for")
              .given(with(noted("{\"driver\":\"" + DRIVER + "\"}")))
              .then(complains(CLAIM, INTENT_FIELD, "it has no volume")),
          rule("PROV-191", "also for a claim that is being deleted")
              .given(with(noted("?").deleting()))
              .then(complains(CLAIM, INTENT_FIELD, "it is not JSON")),
          rule("PROV-191", "one that cannot be read is forgotten when the volume is saved")
              .given(WANTED.with(noted("[]"), volume()))
              .then(act(new Forget(new Seen<>(claim().as(Kinds.CLAIM))))),
          rule("PROV-191", "one that cannot be read is not ours if the claim is not")
              .given(
                  with(
                      noted("?")
                          .without("metadata", "annotations", Annotations.STORAGE_PROVISIONER)))
              .then(settled()),
          rule("PROV-191", "a hold whose intent somebody removed is begun again")
              .given(with(claim().deleting().finalizers(Finalizers.PROVISIONING)))
              .then(ProvisionDecisionTest::creates));

  private static Tree unclaimed() {
    return claim().without("metadata", "annotations", Annotations.STORAGE_PROVISIONER);
  }

  private static Tree selected(String node) {
    return claim().annotated(Annotations.SELECTED_NODE, node);
  }

  private static Tree source(String kind, String group) {
    return claim().with(Map.of("apiGroup", group, "kind", kind, "name", "x"), "spec", "dataSource");
  }

  private static Tree refused(String at, String classUid) {
    return claim()
        .annotated(
            Annotations.PROVISIONING_REFUSED,
            new Refusal(Instant.parse(at), classUid, "1Gi", "no such tier").write());
  }

  private static Intent intent(Tree storageClass) {
    return new Intent(
        DRIVER,
        VOLUME,
        Optional.empty(),
        Recipe.of(storageClass.as(Kinds.STORAGE_CLASS)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static Tree begun(Tree claim) {
    return held(claim, INTENT.write());
  }

  private static Tree noted(String intent) {
    return held(claim(), intent);
  }

  private static Tree held(Tree claim, String intent) {
    return claim
        .finalizers(Finalizers.PVC_PROTECTION, Finalizers.PROVISIONING)
        .annotated(Annotations.PROVISIONING_INTENT, intent);
  }

  private static World with(Tree claim) {
    return WANTED.with(claim);
  }

  private static void creates(Step step) {
    assertThat(effect(step, Provision.class).map(it -> it.plan().intent()))
        .get()
        .satisfies(intent -> {
          assertThat(intent.volume()).isEqualTo(VOLUME);
          assertThat(intent.recipe()).isEqualTo(INTENT.recipe());
        });
  }

  private static Step decide(World world, DriverFacts driver) {
    return new ProvisionDecision(driver, ProvisionerOptions.DEFAULT)
        .decide(new View(world.snapshot(), NOW), ObjectKey.of("shop", "data"));
  }

  @ParameterizedTest
  @FieldSource("rules")
  void decides(Rule rule) {
    rule.expected().accept(decide(rule.world(), PLAIN));
  }

  @Test
  void aDriverThatCannotCreateIsToldOf() { // PROV-06
    complains(CLAIM, "", "does not support dynamic provisioning")
        .accept(decide(WANTED, driver(PUBLISH_UNPUBLISH_VOLUME)));
  }

  @Test
  void aSelectedNodeThatIsGoneIsGivenBack() { // PROV-82
    var world = WANTED.with(waitingClass(), selected("n1"));
    var missing = Kinds.CSI_NODE.ref(ObjectKey.cluster("n1"));

    assertThat(decide(world, WITH_TOPOLOGY))
        .isEqualTo(act(new Reschedule(new Seen<>(claim().as(Kinds.CLAIM)), missing)));
    assertThat(decide(world.with(csiNode("n1", "zone")), WITH_TOPOLOGY))
        .isEqualTo(
            act(
                new Reschedule(
                    new Seen<>(claim().as(Kinds.CLAIM)),
                    dev.berth.kube.object.Ref.of(Resources.NODES, ObjectKey.cluster("n1")))));
  }

  @Test
  void whatIsBegunForANodeThatIsGoneIsFinishedThere() { // PROV-125, SCHED-47
    creates(decide(BEGUN.with(begun(selected("n1"))), WITH_TOPOLOGY));
  }

  @Test
  void anIntentReadsAsItWasWritten() {
    var intent =
        new Intent(
            DRIVER,
            VOLUME,
            Optional.of("n1"),
            INTENT.recipe(),
            Optional.of(
                new Segments(
                    List.of(Segment.of(Map.of("zone", "a")), Segment.of(Map.of("zone", "b"))), 1)),
            Optional.of(new Source.OfSnapshot(ObjectKey.of("shop", "monday"), "snap-1")),
            Optional.of(new Attributes("gold", Map.of("iops", "9"))));
    var claim = claim().annotated(Annotations.PROVISIONING_INTENT, intent.write());

    assertThat(Begun.of(claim.as(Kinds.CLAIM))).isEqualTo(new Begun.As(intent));
  }

  /// PROV-150, PROV-151: where it is, only the driver says.
  @Test
  void onANodeOnlyItsOwnClaimsGetVolumes() {
    var chosen = claim().annotated(Annotations.SELECTED_NODE, "node-1");
    var world = World.of(waitingClass(), chosen);
    assertThat(decide(world, onNode("node-2", "elsewhere"))).isEqualTo(new Settled());
    var step = decide(world, onNode("node-1", "here"));
    assertThat(step.toString()).contains("Provision").contains("zone").contains("here");
  }

  @Test
  void aNodeChosenLongAgoIsNotGivenBack() { // PROV-15
    var chosen = claim().annotated(Annotations.ALPHA_SELECTED_NODE, "n1");
    var gone = World.of(storageClass(), chosen);
    var there = gone.with(csiNode("n1", "zone"), node("n1", Map.of("zone", "a")));

    assertThat(decide(gone, WITH_TOPOLOGY)).isInstanceOf(Wait.class);
    assertThat(effect(decide(there, WITH_TOPOLOGY), Provision.class))
        .get()
        .satisfies(it -> assertThat(it.plan().intent().node()).contains("n1"));
    assertThat(decide(World.of(waitingClass(), chosen), WITH_TOPOLOGY)).isInstanceOf(Wait.class);
  }

  @Test
  void whatHindersIsToldAfterTheAttempt() { // PROV-111
    var hindered = claim().with(Map.of("matchLabels", Map.of("a", "b")), "spec", "selector");
    var step = decide(World.of(storageClass(), hindered), PLAIN);

    assertThat(((Wait) step).preface().orElseThrow().message())
        .isEqualTo("External provisioner is provisioning volume for claim \"shop/data\"");
  }
}
