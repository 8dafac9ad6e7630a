package dev.berth.controller.binder;

import static dev.berth.controller.Draft.volume;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.controller.Cluster;
import dev.berth.controller.ControllerMetrics;
import dev.berth.controller.Draft;
import dev.berth.controller.Reservation;
import dev.berth.controller.Reservation.ChosenBy;
import dev.berth.controller.binder.BinderEffect.AskProvisioner;
import dev.berth.controller.binder.BinderEffect.AssignClass;
import dev.berth.controller.binder.BinderEffect.MarkClaimLost;
import dev.berth.controller.binder.BinderEffect.MarkClaimPending;
import dev.berth.controller.binder.BinderEffect.MarkVolumeFailed;
import dev.berth.controller.binder.BinderEffect.MarkVolumeReleased;
import dev.berth.controller.binder.BinderEffect.ReserveVolume;
import dev.berth.controller.binder.BinderEffect.UnreserveVolume;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Revision;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.name.Annotations;
import dev.berth.kube.object.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The writes that BinderTest does not show, on a server.
class BinderEffectsTest {
  private static final ObjectKey DATA = ObjectKey.of("shop", "data");
  private static final ObjectKey PV = ObjectKey.cluster("pv-1");

  private Cluster cluster;
  private BinderEffects effects;

  @BeforeEach
  void start() throws Exception {
    cluster = Cluster.of(_ -> List.of());
    effects = new BinderEffects(cluster.api(), EventRecorder.SILENT, ControllerMetrics.unread());
    cluster.create(Draft.claim("data"), volume("pv-1"));
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void aVolumeIsNotReleasedWhileTheServerShowsItsClaim() { // BIND-40
    var effect = new MarkVolumeReleased(seenVolume(), DATA, claim().meta().uid());
    assertThatThrownBy(() -> effects.carryOut(effect))
        .isInstanceOf(ApiException.LostRace.class)
        .hasMessage("persistentvolumeclaim \"data\" is there");
    assertThat(pv().phase()).isEqualTo(Volume.Phase.PENDING);
  }

  /// BIND-33: what somebody else has written meanwhile is not written over.
  @Test
  void whoHasSeenAnEarlierClaimWritesNothing() {
    var seen = seenClaim();
    cluster.patch(Kinds.CLAIM, DATA, body -> body.withObject("/metadata/labels").put("a", "b"));
    assertThatThrownBy(() -> effects.carryOut(new AssignClass(seen, "slow")))
        .isInstanceOf(ApiException.LostRace.class);
    assertThat(claim().className()).isEqualTo(Optional.of("fast"));
    assertThat(claim().meta().labels()).containsEntry("a", "b");
  }

  @Test
  void whoNamedNoClassIsToldWhichItGot() { // DSC-04
    var told = new ArrayList<Notice>();
    cluster.create(Draft.claim("plain").without("spec.storageClassName"));
    var plain = cluster.find(Kinds.CLAIM, ObjectKey.of("shop", "plain")).orElseThrow().meta();
    new BinderEffects(cluster.api(), told::add, ControllerMetrics.unread())
        .carryOut(new AssignClass(Revision.of(plain), "slow"));
    assertThat(told).extracting(Notice::reason).containsExactly("DefaultStorageClassAssigned");
    assertThat(told.getFirst().message())
        .isEqualTo("the claim named no class and got the default, slow");
  }

  @Test
  void aVolumeIsReleasedWhenItsClaimHasASuccessor() {
    effects.carryOut(new MarkVolumeReleased(seenVolume(), DATA, "another uid"));
    assertThat(pv().phase()).isEqualTo(Volume.Phase.RELEASED);
  }

  @Test
  void aClaimIsNotLostWhileTheServerShowsItsVolume() { // BIND-27
    var effect = new MarkClaimLost(seenClaim(), Optional.of("pv-1"), "ClaimLost", "gone");
    assertThatThrownBy(() -> effects.carryOut(effect)).hasMessageContaining("is there");
    assertThat(claim().phase()).isEqualTo(Claim.Phase.PENDING);
  }

  @Test
  void whoComesSecondToAVolumeGetsAConflict() { // RACE-01
    cluster.create(Draft.claim("other"));
    var seen = seenVolume();
    effects.carryOut(reserve(seen, seenClaim()));
    var other =
        Revision.of(cluster.find(Kinds.CLAIM, ObjectKey.of("shop", "other")).orElseThrow().meta());
    assertThatThrownBy(() -> effects.carryOut(reserve(seen, other)))
        .isInstanceOf(ApiException.LostRace.class);
    assertThat(pv().claim()).contains(new Volume.ClaimRef(DATA, claim().meta().uid()));
  }

  @Test
  void aClaimIsNotWrittenBackAsItWasBeforeItsNodeWasTakenAway() { // RACE-06, BIND-02, BIND-33
    select("node-a");
    var seen = seenClaim();
    select(null);
    assertThatThrownBy(() -> effects.carryOut(new AskProvisioner(seen, "disk.berth.dev")))
        .isInstanceOf(ApiException.LostRace.class);
    assertThat(claim().selectedNode()).isEmpty();
    assertThat(claim().meta().hasAnnotation(Annotations.STORAGE_PROVISIONER)).isFalse();
    effects.carryOut(new AskProvisioner(seenClaim(), "disk.berth.dev"));
    assertThat(claim().selectedNode()).as("a write of one thing leaves the others").isEmpty();
  }

  private void select(@Nullable String node) {
    cluster.patch(
        Kinds.CLAIM,
        DATA,
        body -> body.withObject("/metadata/annotations").put(Annotations.SELECTED_NODE, node));
  }

  @Test
  void whatTheBinderReservedIsFreeAgain() {
    effects.carryOut(reserve(seenVolume(), seenClaim()));
    assertThat(pv().meta().annotations()).containsKey(Annotations.BOUND_BY_CONTROLLER);
    effects.carryOut(
        new UnreserveVolume(seenVolume(), pv().claim().orElseThrow(), ChosenBy.CONTROLLER));
    assertThat(pv().claim()).isEmpty();
    assertThat(pv().meta().annotations()).doesNotContainKey(Annotations.BOUND_BY_CONTROLLER);
  }

  @Test
  void whatAnAuthorReservedKeepsTheName() {
    effects.carryOut(reserve(seenVolume(), seenClaim()));
    effects.carryOut(
        new UnreserveVolume(seenVolume(), pv().claim().orElseThrow(), ChosenBy.AUTHOR));
    assertThat(pv().claim()).contains(new Volume.ClaimRef(DATA, ""));
  }

  @Test
  void aClaimThatIsPendingAgainHoldsNothing() { // BIND-11
    cluster.patchStatus(
        Kinds.CLAIM,
        DATA,
        body -> {
          var status = body.putObject("status").put("phase", "Bound");
          status.putArray("accessModes").add("ReadWriteOnce");
          status.putObject("capacity").put("storage", "1Gi");
        });
    effects.carryOut(new MarkClaimPending(seenClaim()));
    assertThat(claim().phase()).isEqualTo(Claim.Phase.PENDING);
    assertThat(claim().capacity()).isEmpty();
    assertThat(claim().statusAccessModes()).isEmpty();
  }

  @Test
  void aFailedVolumeSaysWhy() {
    effects.carryOut(new MarkVolumeFailed(seenVolume(), "VolumeFailedDelete", "nobody can"));
    var status = cluster.api().get(Kinds.VOLUME.resource(), PV).path("status");
    assertThat(status.path("phase").asText()).isEqualTo("Failed");
    assertThat(status.path("message").asText()).isEqualTo("nobody can");
  }

  private static ReserveVolume reserve(Revision volume, Revision claim) {
    return new ReserveVolume(new Reservation(volume, claim, ChosenBy.CONTROLLER));
  }

  private Revision seenVolume() {
    return Revision.of(pv().meta());
  }

  private Revision seenClaim() {
    return Revision.of(claim().meta());
  }

  private Volume pv() {
    return cluster.find(Kinds.VOLUME, PV).orElseThrow();
  }

  private Claim claim() {
    return cluster.find(Kinds.CLAIM, DATA).orElseThrow();
  }
}
