package dev.berth.controller.protection;

import static dev.berth.controller.Draft.attributesClass;
import static dev.berth.controller.Draft.bound;
import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.pod;
import static dev.berth.controller.Draft.volume;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class ProtectionDecisionTest {
  /// What a claim is called that is made for volume `data` of pod `web`.
  private static final String NAME = "web-data";

  private static final Draft CLAIM = claim(NAME).finalizer(Finalizers.PVC_PROTECTION);
  private static final Draft GOING = CLAIM.deleting();
  private static final Draft VOLUME = volume("pv-1").finalizer(Finalizers.PV_PROTECTION);
  private static final Draft POD = pod("web", NAME).runningOn("node-a");

  static final List<Rule> claims =
      List.of(
          rule("PROT-01", "a claim gets the finalizer")
              .given(World.of(claim(NAME)))
              .then(act(ProtectionEffect.protect(claim(NAME).as(Kinds.CLAIM)))),
          rule("PROT-01", "a protected claim is left alone").given(World.of(CLAIM)).then(settled()),
          rule("PROT-01", "a claim that is being deleted and not used is let go")
              .given(World.of(GOING))
              .then(act(ProtectionEffect.release(GOING.as(Kinds.CLAIM)))),
          rule("PROT-08", "other finalizers are not ours")
              .given(World.of(claim(NAME).finalizer("example.org/mine").deleting()))
              .then(settled()),
          rule("D01", "a claim that a pod uses is kept")
              .given(World.of(GOING, POD))
              .thenWaits("pod/web", "", "no pod uses it any more: web", kept("web")),
          rule("PROT-10", "a finished pod keeps it too, and is told of first")
              .given(
                  World.of(
                      GOING,
                      POD,
                      pod("job", NAME).runningOn("node-a").set("status.phase", "Succeeded")))
              .thenWaits(
                  "pod/job",
                  "",
                  "no pod uses it any more: job (finished: delete it, or let its owner's TTL do"
                      + " it), web",
                  kept("job (finished: delete it, or let its owner's TTL do it), web")),
          rule("D01", "a pod that is being deleted need not be deleted again")
              .given(
                  World.of(
                      GOING,
                      POD,
                      pod("job", NAME)
                          .runningOn("node-a")
                          .set("status.phase", "Succeeded")
                          .deleting()))
              .thenWaits(
                  "pod/web",
                  "",
                  "no pod uses it any more: job (being deleted), web",
                  kept("job (being deleted), web")),
          rule("PROT-02", "a pod that was not placed keeps nothing")
              .given(World.of(GOING, pod("web", NAME)))
              .then(act(ProtectionEffect.release(GOING.as(Kinds.CLAIM)))),
          rule("PROT-02", "a pod keeps the claim that was made for it")
              .given(World.of(owned(GOING), ephemeral()))
              .thenWaits("pod/web", "", "no pod uses it any more: web", kept("web")),
          rule("PROT-02", "a pod does not keep another's claim of that name")
              .given(World.of(GOING, ephemeral()))
              .then(act(ProtectionEffect.release(GOING.as(Kinds.CLAIM)))),
          rule("PROT-02", "a pod that is shut down lets go of the claim that was made for it")
              .given(
                  World.of(
                      owned(GOING),
                      ephemeral().deleting().set("metadata.deletionGracePeriodSeconds", "0")))
              .then(act(ProtectionEffect.release(owned(GOING).as(Kinds.CLAIM)))));

  static final List<Rule> volumes =
      List.of(
          rule("PROT-07", "a volume gets the finalizer")
              .given(World.of(volume("pv-1")))
              .then(act(ProtectionEffect.protect(volume("pv-1").as(Kinds.VOLUME)))),
          rule("PROT-07", "a volume that is being deleted and held by nobody is let go")
              .given(World.of(VOLUME.deleting()))
              .then(act(ProtectionEffect.release(VOLUME.deleting().as(Kinds.VOLUME)))),
          rule("D11", "a bound volume is kept")
              .given(
                  World.of()
                      .with(bound("data", "pv-1"))
                      .but(
                          Kinds.VOLUME,
                          "pv-1",
                          it -> it.finalizer(Finalizers.PV_PROTECTION).deleting()))
              .thenWaits("persistentvolumeclaim/data", "", "no claim holds it any more"),
          rule("PROT-07", "a volume is kept half-way through binding")
              .given(World.of(VOLUME.claimedBy("data").deleting(), claim("data")))
              .thenWaits("persistentvolumeclaim/data", "", "no claim holds it any more"),
          rule("PROT-07", "a volume of a claim that has gone is let go")
              .given(World.of(released()))
              .then(act(ProtectionEffect.release(released().as(Kinds.VOLUME)))));

  private static final Draft GOLD =
      attributesClass("gold").finalizer(Finalizers.VAC_PROTECTION).deleting();

  static final List<Rule> attributesClasses =
      List.of(
          rule("VAC-02", "a class gets the finalizer")
              .given(World.of(attributesClass("gold")))
              .then(
                  act(
                      ProtectionEffect.protect(
                          attributesClass("gold").as(Kinds.ATTRIBUTES_CLASS)))),
          rule("VAC-02", "a protected class is left alone")
              .given(World.of(attributesClass("gold").finalizer(Finalizers.VAC_PROTECTION)))
              .then(settled()),
          rule("VAC-02", "a class that nobody names is let go")
              .given(World.of(GOLD, claim("data"), volume("pv-1")))
              .then(act(ProtectionEffect.release(GOLD.as(Kinds.ATTRIBUTES_CLASS)))),
          rule("PROT-08", "other finalizers are not ours")
              .given(World.of(attributesClass("gold").finalizer("example.org/mine").deleting()))
              .then(settled()),
          rule("VAC-02", "a claim that asks for it keeps it")
              .given(World.of(GOLD, claim("data").set("spec.volumeAttributesClassName", "gold")))
              .thenWaits("persistentvolumeclaim/data", "", unnamed("persistentvolumeclaim/data")),
          rule("VAC-02", "a claim whose volume has it keeps it")
              .given(
                  World.of(
                      GOLD, claim("data").set("status.currentVolumeAttributesClassName", "gold")))
              .thenWaits("persistentvolumeclaim/data", "", unnamed("persistentvolumeclaim/data")),
          rule("VAC-02", "a claim whose volume is being given it keeps it")
              .given(
                  World.of(
                      GOLD,
                      claim("data")
                          .set(
                              "status.modifyVolumeStatus.targetVolumeAttributesClassName", "gold")))
              .thenWaits("persistentvolumeclaim/data", "", unnamed("persistentvolumeclaim/data")),
          rule("VAC-02", "a volume that has it keeps it")
              .given(World.of(GOLD, volume("pv-1").set("spec.volumeAttributesClassName", "gold")))
              .thenWaits("persistentvolume/pv-1", "", unnamed("persistentvolume/pv-1")));

  private static String unnamed(String user) {
    return "no claim and no volume names it any more: " + user;
  }

  @ParameterizedTest
  @FieldSource
  void attributesClasses(Rule rule) {
    var classes = Protection.attributesClasses();
    rule.check().accept(Rule.decide(classes, rule.world(), ObjectKey.cluster("gold")));
  }

  @ParameterizedTest
  @FieldSource
  void claims(Rule rule) {
    var claims = Protection.claims();
    rule.check().accept(Rule.decide(claims, rule.world(), ObjectKey.of("shop", NAME)));
  }

  @ParameterizedTest
  @FieldSource
  void volumes(Rule rule) {
    var volumes = Protection.volumes();
    rule.check().accept(Rule.decide(volumes, rule.world(), ObjectKey.cluster("pv-1")));
  }

  private static Notice kept(String pods) {
    return Notice.normal(
        CLAIM.as(Kinds.CLAIM).ref(), "ClaimInUse", "the claim is kept for pods " + pods);
  }

  /// A pod for which the claim is made.
  private static Draft ephemeral() {
    return pod("web").runningOn("node-a").add("spec.volumes", "{name: data, ephemeral: {}}");
  }

  private static Draft owned(Draft claim) {
    return claim.add(
        "metadata.ownerReferences",
        "{apiVersion: v1, kind: Pod, name: web, uid: uid-web, controller: true}");
  }

  private static Draft released() {
    return VOLUME.claimedBy("data").set("status.phase", "Released").deleting();
  }

  /// Its name stands in the log and in figures, and what fails pauses others of its kind alone.
  @Test
  void protectingAndReleasingAreTwoEffects() { // PROT-03
    var seen = claim(NAME).as(Kinds.CLAIM);
    var protect = ProtectionEffect.protect(seen);
    var release = ProtectionEffect.release(seen);
    assertThat(protect.likeness()).isNotEqualTo(release.likeness());
    assertThat(release.getClass().getSimpleName()).isEqualTo("ReleaseClaim");
  }
}
