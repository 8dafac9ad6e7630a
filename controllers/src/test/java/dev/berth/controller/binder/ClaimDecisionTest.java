package dev.berth.controller.binder;

import static dev.berth.controller.Draft.bound;
import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.node;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Draft.storageClass;
import static dev.berth.controller.Draft.volume;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.Reservation;
import dev.berth.controller.Reservation.ChosenBy;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.binder.BinderEffect.AskProvisioner;
import dev.berth.controller.binder.BinderEffect.AssignClass;
import dev.berth.controller.binder.BinderEffect.MarkClaimBound;
import dev.berth.controller.binder.BinderEffect.MarkClaimLost;
import dev.berth.controller.binder.BinderEffect.MarkClaimPending;
import dev.berth.controller.binder.BinderEffect.MarkVolumeBound;
import dev.berth.controller.binder.BinderEffect.NameVolume;
import dev.berth.controller.binder.BinderEffect.ReserveVolume;
import dev.berth.controller.binder.BinderEffect.SelectNode;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.AccessMode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.value.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ClaimDecisionTest {
  private static final ObjectKey KEY = ObjectKey.of("shop", "data");
  private static final Draft CLAIM = claim("data");
  private static final Draft VOLUME = volume("pv-1");

  /// Everything is there and the claim is bound.
  private static final World BOUND = World.of(storageClass("fast")).with(bound("data", "pv-1"));

  /// A free volume fits the claim.
  private static final World FREE = World.of(CLAIM, VOLUME, storageClass("fast"));

  /// Only its class is there.
  private static final World ALONE = World.of(CLAIM, storageClass("fast"));

  private static final World FIRST_CONSUMER =
      World.of(CLAIM, waiting(storageClass("fast")), node("node-a"));

  private static final String PROVISIONER_TEXT =
      "Waiting for a volume to be created either by the external provisioner 'disk.berth.dev' or"
          + " manually by the system administrator. If volume creation is delayed, please verify"
          + " that the provisioner is running and correctly registered.";

  static final List<Rule> rules =
      List.of(
          rule("BIND-30", "first the volume names the claim")
              .given(FREE)
              .then(act(reserve(ChosenBy.CONTROLLER))),
          rule("BIND-30", "then the volume is Bound")
              .given(FREE.with(VOLUME.claimedBy("data")))
              .then(act(new MarkVolumeBound(VOLUME.revision()))),
          rule("BIND-30", "then the claim names the volume")
              .given(FREE.with(VOLUME.claimedBy("data").set("status.phase", "Bound")))
              .then(act(new NameVolume(CLAIM.as(Kinds.CLAIM), "pv-1", ChosenBy.CONTROLLER))),
          rule("BIND-30", "then the claim is Bound, with the volume's modes and size")
              .given(
                  BOUND.but(Kinds.CLAIM, "data", claim -> claim.set("status", "{phase: Pending}")))
              .then(
                  act(
                      new MarkClaimBound(
                          CLAIM.revision(),
                          Set.of(AccessMode.READ_WRITE_ONCE),
                          Optional.of(Quantity.parse("1Gi")),
                          Optional.of("")))),
          rule("RSZ-76", "a volume whose file system has not followed its growth is as before")
              .given(
                  BOUND
                      .but(Kinds.CLAIM, "data", claim -> claim.set("status", "{phase: Pending}"))
                      .but(
                          Kinds.VOLUME,
                          "pv-1",
                          pv ->
                              pv.set(
                                  "metadata.annotations",
                                  "{volume.alpha.kubernetes.io/pre-resize-capacity: 512Mi}")))
              .then(
                  act(
                      new MarkClaimBound(
                          CLAIM.revision(),
                          Set.of(AccessMode.READ_WRITE_ONCE),
                          Optional.of(Quantity.parse("512Mi")),
                          Optional.of("")))),
          rule("BIND-31", "what is bound by all four writes is left alone")
              .given(BOUND)
              .then(settled()),
          rule("BIND-32", "a volume that its author reserved by name gets the uid")
              .given(FREE.with(reservedByName(VOLUME)))
              .then(act(reserve(ChosenBy.AUTHOR))),
          rule("BIND-22", "a volume reserved for the claim that names it is not checked")
              .given(
                  FREE.with(
                      CLAIM.set("spec.volumeName", "pv-1"),
                      reservedByName(VOLUME).set("spec.capacity.storage", "1Mi")))
              .then(act(reserve(ChosenBy.AUTHOR))),
          rule("BIND-20", "a named volume that does not exist is waited for")
              .given(ALONE.with(CLAIM.set("spec.volumeName", "pv-9")))
              .thenWaits(
                  "persistentvolume/pv-9",
                  "",
                  "persistentvolume/pv-9, which it names in spec.volumeName, exists",
                  Notice.normal(
                      CLAIM.as(Kinds.CLAIM).ref(),
                      "FailedBinding",
                      "volume \"pv-9\", which spec.volumeName asks for, does not"
                          + " exist")), // BIND-17
          rule("BIND-21", "a named volume that is too small is refused")
              .given(
                  FREE.with(
                      CLAIM.set("spec.volumeName", "pv-1"),
                      VOLUME.set("spec.capacity.storage", "1Mi")))
              .thenWaits(
                  "persistentvolume/pv-1",
                  "spec.capacity.storage",
                  "persistentvolume/pv-1 fits: requested PV is too small",
                  Notice.warning(
                      CLAIM.as(Kinds.CLAIM).ref(),
                      "VolumeMismatch",
                      "Cannot bind to requested volume \"pv-1\": requested PV is too small")),
          rule("BIND-23", "a named volume that another claim has is waited for")
              .given(FREE.with(CLAIM.set("spec.volumeName", "pv-1"), VOLUME.claimedBy("other")))
              .thenWaits(
                  "persistentvolume/pv-1",
                  "spec.claimRef",
                  "persistentvolume/pv-1 is no longer claim shop/other's",
                  Notice.warning(
                      CLAIM.as(Kinds.CLAIM).ref(),
                      "FailedBinding",
                      "volume \"pv-1\" already bound to a different claim.")),
          rule("BIND-25", "a bound claim without its volume is lost")
              .given(BOUND.without(Kinds.VOLUME, "pv-1"))
              .then(
                  act(
                      new MarkClaimLost(
                          CLAIM.revision(),
                          Optional.of("pv-1"),
                          "ClaimLost",
                          "Bound claim has lost its PersistentVolume. Data on the volume is"
                              + " lost!"))),
          rule("BIND-26", "a bound claim whose volume is another's is lost")
              .given(BOUND.but(Kinds.VOLUME, "pv-1", pv -> pv.claimedBy("other")))
              .then(
                  act(
                      new MarkClaimLost(
                          CLAIM.revision(),
                          Optional.empty(),
                          "ClaimMisbound",
                          "Two claims are bound to the same volume, this one is bound"
                              + " incorrectly"))),
          rule("BIND-26", "a bound claim whose volume is reserved by name only is lost")
              .given(BOUND.but(Kinds.VOLUME, "pv-1", pv -> pv.without("spec.claimRef.uid")))
              .then(
                  act(
                      new MarkClaimLost(
                          CLAIM.revision(),
                          Optional.empty(),
                          "ClaimMisbound",
                          "Two claims are bound to the same volume, this one is bound"
                              + " incorrectly"))),
          rule("BIND-26", "a bound claim whose volume forgot it is bound again")
              .given(BOUND.but(Kinds.VOLUME, "pv-1", pv -> pv.without("spec.claimRef")))
              .then(act(reserve(ChosenBy.CONTROLLER))),
          rule("BIND-27", "a lost claim becomes Bound when its volume is back")
              .given(BOUND.but(Kinds.CLAIM, "data", claim -> claim.set("status", "{phase: Lost}")))
              .then(
                  act(
                      new MarkClaimBound(
                          CLAIM.revision(),
                          Set.of(AccessMode.READ_WRITE_ONCE),
                          Optional.of(Quantity.parse("1Gi")),
                          Optional.empty()))),
          rule("C14", "a lost claim waits for its volume")
              .given(
                  BOUND
                      .without(Kinds.VOLUME, "pv-1")
                      .but(Kinds.CLAIM, "data", claim -> claim.set("status", "{phase: Lost}")))
              .thenWaits("persistentvolume/pv-1", "", "persistentvolume/pv-1 exists again"),
          rule("BIND-11", "a claim whose binding was undone is Pending again")
              .given(ALONE.with(CLAIM.set("status.phase", "Bound").set("spec.volumeName", "pv-9")))
              .then(act(new MarkClaimPending(CLAIM.revision()))),
          rule("BIND-10", "a volume without a class comes before the default class")
              .given(
                  World.of(
                      CLAIM.without("spec.storageClassName"),
                      VOLUME.set("spec.storageClassName", "\"\""),
                      byDefault(storageClass("fast"))))
              .then(act(reserve(ChosenBy.CONTROLLER))),
          rule("DSC-03", "neither has a class: they match though there is a default")
              .given(
                  World.of(
                      CLAIM.without("spec.storageClassName"),
                      VOLUME.without("spec.storageClassName"),
                      byDefault(storageClass("fast"))))
              .then(act(reserve(ChosenBy.CONTROLLER))),
          rule("BIND-15", "a class that does not exist keeps nobody from a volume of its name")
              .given(World.of(CLAIM, VOLUME))
              .then(act(reserve(ChosenBy.CONTROLLER))),
          rule("BIND-07", "of a phase that is so already nothing is written or told")
              .given(BOUND)
              .then(settled()),
          rule("RACE-05", "a volume that is being deleted is not bound")
              .given(FREE.with(VOLUME.deleting()))
              .then(act(new AskProvisioner(CLAIM.revision(), "disk.berth.dev"))),
          rule("RACE-05", "one that is bound stays so")
              .given(BOUND.but(Kinds.VOLUME, "pv-1", Draft::deleting))
              .then(settled()),
          rule("DSC-01", "a claim without a class gets the newest default")
              .given(
                  World.of(
                      CLAIM.without("spec.storageClassName"),
                      byDefault(storageClass("old")),
                      byDefault(storageClass("new"))
                          .set("metadata.creationTimestamp", "\"2026-11-21T10:00:01Z\"")))
              .then(act(new AssignClass(CLAIM.revision(), "new"))),
          rule("DSC-02", "a claim that wants no class gets none")
              .given(
                  World.of(
                      CLAIM.set("spec.storageClassName", "\"\""), byDefault(storageClass("old"))))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "spec.storageClassName",
                  "a volume without a class fits it, or it gets a class",
                  Notice.normal(
                      CLAIM.as(Kinds.CLAIM).ref(),
                      "FailedBinding",
                      "no persistent volumes available for this claim and no storage class is"
                          + " set")),
          rule("BIND-12", "the class's provisioner is asked")
              .given(ALONE)
              .then(act(new AskProvisioner(CLAIM.revision(), "disk.berth.dev"))),
          rule("BIND-12", "a provisioner that was asked is waited for")
              .given(ALONE.with(asked(CLAIM)))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "spec.volumeName",
                  "provisioner disk.berth.dev has made a volume for it",
                  Notice.normal(
                      CLAIM.as(Kinds.CLAIM).ref(), "ExternalProvisioning", PROVISIONER_TEXT)),
          rule("BIND-12", "a class that does not exist is waited for")
              .given(World.of(CLAIM))
              .thenWaits(
                  "storageclass/fast",
                  "",
                  "storageclass/fast exists or a volume of that class fits it",
                  Notice.warning(
                      CLAIM.as(Kinds.CLAIM).ref(),
                      "ProvisioningFailed",
                      "storageclass.storage.k8s.io \"fast\" not found")),
          rule("C03", "a class that makes no volumes leaves the claim waiting for one")
              .given(
                  ALONE.with(
                      storageClass("fast").set("provisioner", "kubernetes.io/no-provisioner")))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "spec.volumeName",
                  "a volume of class fast fits it",
                  Notice.warning(
                      CLAIM.as(Kinds.CLAIM).ref(),
                      "ProvisioningFailed",
                      "no volume plugin matched name: kubernetes.io/no-provisioner")),
          rule(
                  "MATCH-05",
                  "where the first consumer is waited for, a free volume is the scheduler's")
              .given(FIRST_CONSUMER.with(VOLUME))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "metadata.annotations",
                  "a pod that uses it has been created",
                  Notice.normal(
                      CLAIM.as(Kinds.CLAIM).ref(),
                      "WaitForFirstConsumer",
                      "waiting for first consumer to be created before binding")),
          rule("MATCH-05", "where the first consumer is waited for, a reserved volume is bound")
              .given(FIRST_CONSUMER.with(VOLUME.claimedBy("data")))
              .then(act(new MarkVolumeBound(VOLUME.revision()))),
          rule("L03", "a consumer without a node is waited for")
              .given(FIRST_CONSUMER.with(pod("web", "data"), pod("api", "data")))
              .thenWaits(
                  "pod/api",
                  "spec.nodeName",
                  "the scheduler has selected a node for pod/api",
                  Notice.normal(
                      CLAIM.as(Kinds.CLAIM).ref(),
                      "WaitForPodScheduled",
                      "waiting for pods api,web to be scheduled")),
          rule("BIND-16", "a pod that was placed by hand selects the node")
              .given(FIRST_CONSUMER.with(pod("web", "data").set("spec.nodeName", "node-a")))
              .then(act(new SelectNode(CLAIM.revision(), "node-a", "web"))),
          rule("BIND-16", "a free volume that its node reaches serves it")
              .given(FIRST_CONSUMER.with(VOLUME, pod("web", "data").set("spec.nodeName", "node-a")))
              .then(act(reserve(ChosenBy.CONTROLLER))),
          rule("BIND-16", "not one that only another node reaches")
              .given(
                  FIRST_CONSUMER.with(
                      VOLUME.set(
                          "spec.nodeAffinity",
                          "{required: {nodeSelectorTerms: [{matchFields: [{key: metadata.name,"
                              + " operator: In, values: [node-b]}]}]}}"),
                      pod("web", "data").set("spec.nodeName", "node-a")))
              .then(act(new SelectNode(CLAIM.revision(), "node-a", "web"))),
          rule("BIND-16", "one that comes later too, where nobody makes volumes")
              .given(
                  World.of(
                      selected(CLAIM),
                      waiting(storageClass("fast"))
                          .set("provisioner", "kubernetes.io/no-provisioner"),
                      node("node-a"),
                      VOLUME))
              .then(
                  act(
                      new ReserveVolume(
                          new Reservation(
                              VOLUME.revision(),
                              selected(CLAIM).revision(),
                              ChosenBy.CONTROLLER)))),
          rule("BIND-13", "but not where a provisioner is at it")
              .given(FIRST_CONSUMER.with(selected(CLAIM), VOLUME))
              .then(act(new AskProvisioner(CLAIM.revision(), "disk.berth.dev"))),
          rule("BIND-16", "a node that does not exist is not selected")
              .given(FIRST_CONSUMER.with(pod("web", "data").set("spec.nodeName", "node-x")))
              .thenWaits(
                  "node/node-x", "", "node/node-x, on which pod/web was placed by hand, exists"),
          rule("BIND-13", "the provisioner is asked once a node is selected")
              .given(FIRST_CONSUMER.with(selected(CLAIM)))
              .then(act(new AskProvisioner(CLAIM.revision(), "disk.berth.dev"))),
          rule("PROV-20", "nothing new is begun for a claim that is being deleted")
              .given(ALONE.with(CLAIM.deleting()))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "metadata.finalizers",
                  "it is gone, since it is being deleted"),
          rule("MATCH-07", "a volume that was there before does not serve a claim with a source")
              .given(
                  FREE.with(CLAIM.set("spec.dataSource", "{kind: PersistentVolumeClaim, name: a}")))
              .then(act(new AskProvisioner(CLAIM.revision(), "disk.berth.dev"))));

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    rule.check().accept(Rule.decide(Binder.claims(Binder.Options.DEFAULT), rule.world(), KEY));
  }

  @Test
  void aPodThatWantsAClaimOfItsOwnIsNoConsumerOfAnothers() { // EPH-04, BIND-16
    var pod =
        pod("web").set("spec.nodeName", "node-a").add("spec.volumes", "{name: x, ephemeral: {}}");
    var world = World.of(claim("web-x"), waiting(storageClass("fast")), node("node-a"), pod);
    var step =
        Rule.decide(Binder.claims(Binder.Options.DEFAULT), world, ObjectKey.of("shop", "web-x"));
    assertThat(step)
        .isInstanceOfSatisfying(
            Wait.class,
            wait -> assertThat(wait.until()).isEqualTo("a pod that uses it has been created"));
  }

  private static ReserveVolume reserve(ChosenBy chosenBy) {
    return new ReserveVolume(new Reservation(VOLUME.revision(), CLAIM.revision(), chosenBy));
  }

  private static Draft waiting(Draft storageClass) {
    return storageClass.set("volumeBindingMode", "WaitForFirstConsumer");
  }

  private static Draft byDefault(Draft storageClass) {
    return storageClass.annotate("storageclass.kubernetes.io/is-default-class", "true");
  }

  private static Draft reservedByName(Draft volume) {
    return volume.claimedBy("data").without("spec.claimRef.uid");
  }

  private static Draft asked(Draft claim) {
    return claim.annotate("volume.kubernetes.io/storage-provisioner", "disk.berth.dev");
  }

  private static Draft selected(Draft claim) {
    return claim.annotate("volume.kubernetes.io/selected-node", "node-a");
  }
}
