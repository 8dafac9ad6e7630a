package dev.berth.sidecar.reclaimer;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.sidecar.testing.Objects.PLAIN;
import static dev.berth.sidecar.testing.Objects.VOLUME;
import static dev.berth.sidecar.testing.Objects.attachment;
import static dev.berth.sidecar.testing.Objects.driver;
import static dev.berth.sidecar.testing.Objects.onNode;
import static dev.berth.sidecar.testing.Objects.storageClass;
import static dev.berth.sidecar.testing.Objects.volume;
import static dev.berth.sidecar.testing.Rule.act;
import static dev.berth.sidecar.testing.Rule.complains;
import static dev.berth.sidecar.testing.Rule.rule;
import static dev.berth.sidecar.testing.Rule.settled;
import static dev.berth.sidecar.testing.Rule.waits;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume.SecretRef;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Meta;
import dev.berth.kube.object.ObjectKey;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.reclaimer.ReclaimEffect.Hold;
import dev.berth.sidecar.reclaimer.ReclaimEffect.Reclaim;
import dev.berth.sidecar.reclaimer.ReclaimEffect.Release;
import dev.berth.sidecar.testing.Rule;
import dev.berth.sidecar.testing.Tree;
import dev.berth.sidecar.testing.World;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ReclaimDecisionTest {
  private static final ObjectKey KEY = ObjectKey.cluster(VOLUME);
  private static final Seen<Meta> SEEN = new Seen<>(volume().as(Kinds.VOLUME).meta());
  private static final World RELEASED = World.of(released());

  private static final Map<String, ?> AFFINITY =
      Map.of(
          "required",
          Map.of(
              "nodeSelectorTerms",
              List.of(
                  Map.of(
                      "matchExpressions",
                      List.of(
                          Map.of("key", "zone", "operator", "In", "values", List.of("here")))))));

  static final List<Rule> rules =
      List.of(
          rule("PROV-131", "a released volume is deleted").given(RELEASED).then(deletes()),
          rule("PROV-131", "also if the object's deletion was asked for first")
              .given(World.of(released().deleting()))
              .then(deletes()),
          rule("PROV-131", "not again once our finalizer is off")
              .given(World.of(released().deleting().finalizers(Finalizers.PV_PROTECTION)))
              .then(settled()),
          rule("PROV-131", "a bound volume stays").given(World.of(volume())).then(settled()),
          rule("PROV-131", "a failed volume stays")
              .given(World.of(volume().with("Failed", "status", "phase")))
              .then(settled()),
          rule("PROV-131", "an available volume stays")
              .given(World.of(volume().with("Available", "status", "phase")))
              .then(settled()),
          rule("PROV-130", "another driver's volume stays")
              .given(World.of(released().annotated(Annotations.PROVISIONED_BY, "other.example")))
              .then(settled()),
          rule("PROV-130", "but not if we have taken it over")
              .given(World.of(takenOver()))
              .then(deletes()),
          rule("PROV-130", "nor one that another has taken over from us")
              .given(World.of(released().annotated(Annotations.MIGRATED_TO, "other.example")))
              .then(deletes()),
          rule("PROV-130", "taken over, but another's by its source, it is told of")
              .given(World.of(takenOver().with("other.example", "spec", "csi", "driver")))
              .then(
                  complains(
                      "persistentvolume/" + VOLUME, "spec.csi", "one of driver other.example")),
          rule("RECL-06", "a volume made by hand goes by its source")
              .given(World.of(byHand().with("Released", "status", "phase")))
              .then(deletes()),
          rule("RECL-06", "and its author is warned as soon as it may be bound")
              .given(World.of(byHand().with("Available", "status", "phase")))
              .then(warns("when a claim that gets it is deleted")),
          rule("RECL-06", "and when it is bound")
              .given(World.of(byHand()))
              .then(warns("when claim shop/data is deleted")),
          rule("RECL-06", "held first, as any other")
              .given(World.of(byHand().finalizers(Finalizers.PV_PROTECTION)))
              .then(act(new Hold(KEY, SEEN))),
          rule("RECL-06", "but not of data that is kept")
              .given(World.of(retained(byHand()).finalizers(Finalizers.PV_PROTECTION)))
              .then(settled()),
          rule("RECL-06", "no driver deletes by another's handle, whatever the annotation says")
              .given(World.of(released().with("other.example", "spec", "csi", "driver")))
              .then(
                  complains(
                      "persistentvolume/" + VOLUME, "spec.csi", "one of driver other.example")),
          rule("PROV-133", "an attached volume waits")
              .given(RELEASED.with(attachment()))
              .then(waits("volumeattachment/va-1", "")),
          rule("PROV-134", "the Secret noted at creation is used")
              .given(World.of(released(), noted("keys", "kube")))
              .then(act(reclaim(Optional.of(new SecretRef("kube", "keys"))))),
          rule("PROV-134", "none was noted: none is used, whatever the class says now")
              .given(RELEASED.with(noted("", ""), secretive()))
              .then(deletes()),
          rule("PROV-134", "nothing was noted: the class names it")
              .given(RELEASED.with(secretive()))
              .then(act(reclaim(Optional.of(new SecretRef("shop", "keys"))))),
          rule("PROV-134", "a template that needs the claim's annotations stops it")
              .given(
                  RELEASED.with(
                      secretive()
                          .with(
                              "${pvc.annotations['x']}",
                              "parameters",
                              "csi.storage.k8s.io/provisioner-secret-name")))
              .then(
                  complains(
                      "persistentvolume/" + VOLUME, "metadata.annotations", "unknown tokens")),
          rule("PROV-134", "one that needs them for another call does not")
              .given(
                  RELEASED.with(
                      secretive()
                          .with(
                              "${pvc.annotations['x']}",
                              "parameters",
                              "csi.storage.k8s.io/node-publish-secret-name")
                          .with(
                              "shop",
                              "parameters",
                              "csi.storage.k8s.io/node-publish-secret-namespace")))
              .then(act(reclaim(Optional.of(new SecretRef("shop", "keys"))))),
          rule("PROV-140", "a bound volume that is to be deleted is held")
              .given(World.of(volume().finalizers(Finalizers.PV_PROTECTION)))
              .then(act(new Hold(KEY, SEEN))),
          rule("PROV-140", "not if it is being deleted")
              .given(World.of(volume().finalizers(Finalizers.PV_PROTECTION).deleting()))
              .then(settled()),
          rule("PROV-140", "a volume to be retained is let go")
              .given(World.of(retained(volume())))
              .then(act(new Release(KEY, SEEN))),
          rule("FIN-02", "also when its claim has gone")
              .given(World.of(retained(released()).deleting()))
              .then(act(new Release(KEY, SEEN))),
          rule("FIN-02", "and kept")
              .given(World.of(retained(released()).finalizers(Finalizers.PV_PROTECTION)))
              .then(settled()));

  private static Tree byHand() {
    return volume().without("metadata", "annotations", Annotations.PROVISIONED_BY);
  }

  private static Consumer<Step> warns(String words) {
    return step ->
        assertThat(((Settled) step).warning().orElseThrow().message())
            .contains(words, "driver " + PLAIN.name() + " deletes the data", "Retain");
  }

  private static Tree released() {
    return volume().with("Released", "status", "phase");
  }

  private static Tree takenOver() {
    return released()
        .annotated(Annotations.PROVISIONED_BY, "other.example")
        .annotated(Annotations.MIGRATED_TO, PLAIN.name());
  }

  private static Tree retained(Tree volume) {
    return volume.with("Retain", "spec", "persistentVolumeReclaimPolicy");
  }

  private static Tree noted(String name, String namespace) {
    return released()
        .annotated(Annotations.DELETION_SECRET_NAME, name)
        .annotated(Annotations.DELETION_SECRET_NAMESPACE, namespace);
  }

  private static Tree secretive() {
    return storageClass()
        .with("keys", "parameters", "csi.storage.k8s.io/provisioner-secret-name")
        .with("${pvc.namespace}", "parameters", "csi.storage.k8s.io/provisioner-secret-namespace");
  }

  private static Reclaim reclaim(Optional<SecretRef> secret) {
    return new Reclaim(KEY, "pv-1", "vol-1", "fast", secret);
  }

  private static Step deletes() {
    return act(reclaim(Optional.empty()));
  }

  private static Step decide(World world, DriverFacts driver) {
    return new ReclaimDecision(driver).decide(new View(world.snapshot()), KEY);
  }

  @ParameterizedTest
  @FieldSource("rules")
  void decides(Rule rule) {
    rule.expected().accept(decide(rule.world(), PLAIN));
  }

  @Test
  void withoutPublishingAttachmentsDoNotCount() { // PROV-133
    assertThat(decide(RELEASED.with(attachment()), driver(CREATE_DELETE_VOLUME)))
        .isEqualTo(deletes());
  }

  @Test
  void aDriverThatCannotDeleteIsToldOf() {
    complains("persistentvolume/" + VOLUME, "", "does not support deletion")
        .accept(decide(RELEASED, driver(PUBLISH_UNPUBLISH_VOLUME)));
  }

  /// PROV-155.
  @Test
  void onANodeOnlyVolumesThatAreThereAreDeleted() {
    var there = RELEASED.with(released().with(AFFINITY, "spec", "nodeAffinity"));
    assertThat(decide(there, onNode("node-1", "here"))).isEqualTo(deletes());
    assertThat(decide(there, onNode("node-2", "elsewhere"))).isEqualTo(new Settled());
    assertThat(decide(RELEASED, onNode("node-2", "elsewhere"))).isEqualTo(deletes());
  }
}
