package dev.berth.controller.binder;

import static dev.berth.controller.Draft.bound;
import static dev.berth.controller.Draft.claim;
import static dev.berth.controller.Draft.volume;
import static dev.berth.controller.Rule.act;
import static dev.berth.controller.Rule.rule;
import static dev.berth.controller.Rule.settled;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.controller.Draft;
import dev.berth.controller.Reservation.ChosenBy;
import dev.berth.controller.Rule;
import dev.berth.controller.World;
import dev.berth.controller.binder.BinderEffect.MarkVolumeAvailable;
import dev.berth.controller.binder.BinderEffect.MarkVolumeFailed;
import dev.berth.controller.binder.BinderEffect.MarkVolumeReleased;
import dev.berth.controller.binder.BinderEffect.UnreserveVolume;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume.ClaimRef;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class VolumeDecisionTest {
  private static final ObjectKey KEY = ObjectKey.cluster("pv-1");
  private static final ObjectKey DATA = ObjectKey.of("shop", "data");
  private static final Draft VOLUME = volume("pv-1");
  private static final Draft RESERVED = VOLUME.claimedBy("data");
  private static final Draft RELEASED = RESERVED.set("status.phase", "Released");

  private static final World BOUND = World.of().with(bound("data", "pv-1"));
  private static final World ALONE = World.of(RESERVED.set("status.phase", "Bound"));

  /// The claim found another volume.
  private static final World ELSEWHERE =
      World.of(claim("data").set("spec.volumeName", "pv-2"), RESERVED);

  static final List<Rule> rules =
      List.of(
          rule("3.6", "a volume of nobody's is Available")
              .given(World.of(VOLUME.set("status.phase", "Pending")))
              .then(act(new MarkVolumeAvailable(VOLUME.revision()))),
          rule("3.6", "an available volume stays").given(World.of(VOLUME)).then(settled()),
          rule("BIND-41", "a released volume that was freed is Available")
              .given(World.of(VOLUME.set("status.phase", "Released")))
              .then(act(new MarkVolumeAvailable(VOLUME.revision()))),
          rule("BIND-41", "a failed volume that was freed is Available")
              .given(World.of(VOLUME.set("status.phase", "Failed")))
              .then(act(new MarkVolumeAvailable(VOLUME.revision()))),
          rule("3.6", "a volume reserved by name is Available until its claim comes")
              .given(World.of(byName(VOLUME).set("status.phase", "Pending")))
              .then(act(new MarkVolumeAvailable(VOLUME.revision()))),
          rule("3.6", "a volume reserved by name waits for its claim")
              .given(World.of(byName(VOLUME)))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "spec.volumeName",
                  "claim shop/data, for which it is reserved, takes it"),
          rule("BIND-01", "what a claim is bound to is the other loop's")
              .given(BOUND.but(Kinds.VOLUME, "pv-1", pv -> pv.set("status.phase", "Pending")))
              .then(settled()),
          rule("BIND-01", "what a claim is getting is the other loop's")
              .given(World.of(claim("data"), RESERVED.set("status.phase", "Pending")))
              .then(settled()),
          rule("MATCH-04", "a reserved volume that is too small waits")
              .given(World.of(claim("data"), RESERVED.set("spec.capacity.storage", "1Mi")))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "spec.volumeName",
                  "claim shop/data, for which it is reserved, takes it"),
          rule("3.6", "a reserved volume of the wrong mode says so")
              .given(World.of(claim("data"), RESERVED.set("spec.volumeMode", "Block")))
              .thenWaits(
                  "persistentvolumeclaim/data",
                  "spec.volumeMode",
                  "claim shop/data, for which it is reserved, has its volumeMode",
                  Notice.warning(
                      claim("data").as(Kinds.CLAIM).ref(),
                      "VolumeMismatch",
                      "Cannot bind PersistentVolume \"pv-1\" to requested PersistentVolumeClaim due"
                          + " to incompatible volumeMode.")),
          rule("BIND-40", "a volume whose claim has gone is released")
              .given(ALONE)
              .then(act(new MarkVolumeReleased(VOLUME.revision(), DATA, "uid-data"))),
          rule("RACE-02", "a volume whose claim has a successor is released")
              .given(ALONE.with(claim("data").set("metadata.uid", "uid-2")))
              .then(act(new MarkVolumeReleased(VOLUME.revision(), DATA, "uid-data"))),
          rule("RACE-03", "a volume made for a claim that found another is released")
              .given(
                  ELSEWHERE.but(
                      Kinds.VOLUME, "pv-1", pv -> pv.annotate(Annotations.PROVISIONED_BY, "d")))
              .then(act(new MarkVolumeReleased(VOLUME.revision(), DATA, "uid-data"))),
          rule("3.6", "a volume that the binder had reserved is freed")
              .given(
                  ELSEWHERE.but(
                      Kinds.VOLUME,
                      "pv-1",
                      pv -> pv.annotate(Annotations.BOUND_BY_CONTROLLER, "yes")))
              .then(
                  act(
                      new UnreserveVolume(
                          VOLUME.revision(), new ClaimRef(DATA, "uid-data"), ChosenBy.CONTROLLER))),
          rule("RACE-04", "a volume that its author had reserved keeps the name")
              .given(ELSEWHERE)
              .then(
                  act(
                      new UnreserveVolume(
                          VOLUME.revision(), new ClaimRef(DATA, "uid-data"), ChosenBy.AUTHOR))),
          rule("RECL-01", "what is to be retained is left to people")
              .given(World.of(RELEASED.set("spec.persistentVolumeReclaimPolicy", "Retain")))
              .thenWaits(
                  "persistentvolume/pv-1",
                  "spec.claimRef",
                  "somebody frees or deletes it, since its policy is Retain"),
          rule("RECL-02", "its provisioner deletes it")
              .given(World.of(RELEASED.annotate(Annotations.PROVISIONED_BY, "maker.example.org")))
              .thenWaits(
                  "persistentvolume/pv-1",
                  "metadata.deletionTimestamp",
                  "the provisioner of maker.example.org has deleted it"),
          rule("PROV-131", "a CSI volume that somebody made by hand is its driver's to delete")
              .given(World.of(RELEASED))
              .thenWaits(
                  "persistentvolume/pv-1",
                  "metadata.deletionTimestamp",
                  "the provisioner of disk.berth.dev has deleted it"),
          rule("RECL-02", "what nobody can delete has failed")
              .given(
                  World.of(
                      RELEASED
                          .without("spec.csi")
                          .annotate(Annotations.PROVISIONED_BY, "kubernetes.io/aws-ebs")))
              .then(
                  act(
                      new MarkVolumeFailed(
                          VOLUME.revision(),
                          "VolumeFailedDelete",
                          "error getting deleter volume plugin for volume \"pv-1\": no volume"
                              + " plugin matched"))),
          rule("RECL-03", "nobody recycles")
              .given(World.of(RELEASED.set("spec.persistentVolumeReclaimPolicy", "Recycle")))
              .then(
                  act(
                      new MarkVolumeFailed(
                          VOLUME.revision(),
                          "VolumeFailedRecycle",
                          "No recycler plugin found for the volume!"))),
          rule("RECL-04", "an unknown policy is a failure")
              .given(World.of(RELEASED.set("spec.persistentVolumeReclaimPolicy", "Burn")))
              .then(
                  act(
                      new MarkVolumeFailed(
                          VOLUME.revision(),
                          "VolumeUnknownReclaimPolicy",
                          "Volume has unrecognized PersistentVolumeReclaimPolicy"))),
          rule("D10", "a failed volume stays Failed")
              .given(World.of(RESERVED.set("status.phase", "Failed")))
              .thenWaits(
                  "persistentvolume/pv-1",
                  "spec.claimRef",
                  "somebody repairs it: its storage could not be reclaimed"));

  /// Section 3.6: whoever looks at either of them finds it.
  @Test
  void theVolumeSaysSoToo() {
    var world = World.of(claim("data"), RESERVED.set("spec.volumeMode", "Block"));
    var wait = (Wait) Rule.decide(Binder.volumes(), world, ObjectKey.cluster("pv-1"));
    assertThat(wait.preface())
        .contains(
            Notice.warning(
                VOLUME.as(Kinds.VOLUME).ref(),
                "VolumeMismatch",
                "Cannot bind PersistentVolume to requested PersistentVolumeClaim \"data\" due to"
                    + " incompatible volumeMode."));
  }

  @ParameterizedTest
  @FieldSource
  void rules(Rule rule) {
    rule.check().accept(Rule.decide(Binder.volumes(), rule.world(), KEY));
  }

  private static Draft byName(Draft volume) {
    return volume.claimedBy("data").without("spec.claimRef.uid");
  }
}
