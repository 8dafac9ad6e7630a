package dev.berth.volume;

import static dev.berth.volume.World.BOUND;
import static dev.berth.volume.World.CLAIM;
import static dev.berth.volume.World.OWNED;
import static dev.berth.volume.World.POD;
import static dev.berth.volume.World.VOLUME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeName;
import org.junit.jupiter.api.Test;

/// Which pods a claim and a volume concern.
class UsersTest {
  private static final VolumeName NAME = new VolumeName("disk.berth.dev", "vol-1");

  /// Names the claim that was made for pod `web`, as if it were for anybody.
  private static final Pod REFERENCING =
      World.read(
          Kinds.POD,
          """
          metadata: {namespace: ns, name: reader, uid: pod-3}
          spec:
            volumes:
            - {name: d, persistentVolumeClaim: {claimName: web-scratch}}
          """);

  /// The volume of the claim that is made for pod `web`.
  private static final Volume SCRATCH =
      World.volume("{namespace: ns, name: web-scratch, uid: claim-2}");

  @Test
  void ofAClaimAreThePodsThatNameIt() {
    var users = new Users(BOUND.objects());
    assertThat(users.of(CLAIM)).containsExactly(POD);
    assertThat(users.of(OWNED)).containsExactly(POD);
    assertThat(users.naming(CLAIM.meta().key())).containsExactly(POD);
  }

  @Test
  void aPodThatWantsAClaimOfItsOwnIsNoUserOfAnothers() { // EPH-04
    var others = World.owned("pod-9");
    var world = BOUND.with(Kinds.CLAIM, others).with(Kinds.POD, REFERENCING);
    var users = new Users(world.objects());
    assertThat(users.of(others)).containsExactly(REFERENCING);
    assertThat(users.naming(others.meta().key())).containsExactly(REFERENCING, POD);
    assertThat(new Users(world.with(Kinds.VOLUME, SCRATCH).objects()).of(SCRATCH))
        .containsExactly(REFERENCING);
  }

  @Test
  void ofAVolumeAreThePodsThatNameItsClaimThoughTheClaimIsGone() {
    var users = new Users(BOUND.without(Kinds.CLAIM, CLAIM).objects());
    assertThat(users.of(VOLUME)).containsExactly(POD);
    assertThat(users.of(NAME)).containsExactly(POD);
  }

  @Test
  void whoseASuccessorOfTheClaimIsSaysNothingOfTheVolumesPods() {
    var successor =
        World.read(
            Kinds.CLAIM,
            """
            metadata: {namespace: ns, name: web-scratch, uid: claim-8}
            """);
    var users = new Users(BOUND.with(Kinds.CLAIM, successor).objects());
    assertThat(users.of(SCRATCH)).containsExactly(POD);
  }

  @Test
  void aVolumeIsFoundByWhatItsDriverCallsItAndByItsClaim() { // AD-46
    var users = new Users(BOUND.objects());
    assertThat(users.volumes(NAME)).containsExactly(VOLUME);
    assertThat(users.reserved(CLAIM.meta().key())).containsExactly(VOLUME);
  }
}
