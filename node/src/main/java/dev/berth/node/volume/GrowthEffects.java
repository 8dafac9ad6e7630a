package dev.berth.node.volume;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.CapacityRange;
import dev.berth.csi.v1.NodeExpandVolumeRequest;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.ClaimGrowth.Stage;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.value.Quantity;
import dev.berth.node.volume.MountEffect.Grow;
import dev.berth.node.volume.MountEffect.Telling;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Staging;
import dev.berth.volume.request.Capabilities;
import dev.berth.volume.request.Writers;
import dev.berth.volume.status.ClaimStatusPatch;
import io.grpc.Status;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Has what is on a volume grow, and tells the claim how it went (RSZ-71 to RSZ-73).
record GrowthEffects(
    Api api, DriverRequests requests, VolumeFiles all, ActualState state, MountNews news) {
  private static final String STORAGE = "storage";

  void grow(Grow effect) throws IOException {
    var want = effect.seen().object();
    var name = want.name();
    var size = effect.size();
    var driver = requests.driver(name);
    if (!driver.can(RPC.Type.EXPAND_VOLUME)) {
      cannot(effect);
      return;
    }
    var ready =
        requests.of(want, driver, "", want.source().nodeExpandSecret(), "Expand"); // nothing told
    var claimed = want.bound().orElseThrow().claim();
    var claim = effect.telling() == Telling.THE_CLAIM ? begin(claimed) : claimed;
    try {
      driver.calls().nodeExpandVolume(request(effect, ready));
    } catch (CsiException refusal) {
      failed(effect, claim, refusal);
      if (refusal.code() == Status.Code.FAILED_PRECONDITION) {
        state.change(name, it -> it.with(it.size().refuse(size)));
        return;
      }
      throw refusal;
    }
    var done =
        "MountVolume.NodeExpandVolume succeeded for volume \"%s\" %s"
            .formatted(want.spec(), want.pod().nodeName());
    news.events()
        .tell(Notice.normal(want.pod().ref(), Reasons.FILE_SYSTEM_RESIZE_SUCCESSFUL, done));
    news.events().tell(Notice.normal(claim.ref(), Reasons.FILE_SYSTEM_RESIZE_SUCCESSFUL, done));
    if (effect.telling() == Telling.THE_CLAIM) finish(claim, size);
    state.change(name, it -> it.with(it.size().grown(size)));
  }

  /// A driver that grows nothing on a node has nothing to do where another node has told already.
  /// Where nobody says that it is a node's turn, the claim may have less than its volume for good:
  /// that is told once.
  private void cannot(Grow effect) throws IOException {
    if (effect.telling() == Telling.NOBODY) {
      state.change(effect.name(), it -> it.with(it.size().grown(effect.size())));
      return;
    }
    var want = effect.seen().object();
    var why = "NodeExpand is not supported by the CSI driver " + want.source().driver();
    if (want.bound().orElseThrow().claim().growth().onNode()) throw new IOException(why);
    tellFailure(want, why);
    state.change(effect.name(), it -> it.with(it.size().refuse(effect.size())));
  }

  private void tellFailure(Want want, String why) {
    news.events()
        .tell(
            Notice.warning(
                want.pod().ref(),
                Reasons.VOLUME_RESIZE_FAILED,
                "NodeExpandVolume.NodeExpandVolume failed for volume \"%s\" : %s"
                    .formatted(want.spec(), why)));
  }

  private NodeExpandVolumeRequest request(Grow effect, NodeRequests ready) {
    var want = effect.seen().object();
    var files = all.of(want.form());
    var writers = Writers.of(ready.driver().can(RPC.Type.SINGLE_NODE_MULTI_WRITER));
    var request =
        NodeExpandVolumeRequest.newBuilder()
            .setVolumeId(want.source().handle())
            .setVolumePath(files.publishTarget(want.podUid(), want.spec()).toString())
            .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(effect.size().toLong()))
            .setVolumeCapability(capability(want, writers))
            .putAllSecrets(ready.secrets());
    if (state.now().volume(want.name()).staging() instanceof Staging.Present)
      request.setStagingTargetPath(files.stagingTarget(want.name()).toString());
    return request.build();
  }

  private static VolumeCapability capability(Want want, Writers writers) {
    return Capabilities.ofFirst(want.bound().orElseThrow().volume(), want.source(), "", writers);
  }

  private Claim begin(Claim claim) {
    // Where no stages are named it would be the first one (NEXP-01).
    if (claim.growth().stage() != Stage.NODE_PENDING) return claim;
    return stage(claim, Stage.NODE_IN_PROGRESS).applyIfUnchanged(api);
  }

  private void finish(Claim claim, Quantity size) {
    var patch = ClaimStatusPatch.of(claim);
    ClaimCondition.OF_GROWTH.forEach(patch::without);
    patch.part("capacity").put(STORAGE, size.toString());
    patch.part("allocatedResourceStatuses").putNull(STORAGE);
    patch.applyIfUnchanged(api);
  }

  /// RSZ-73. After one final failure a claim that asks for another size by now is the controller's
  /// again.
  private void failed(Grow effect, Claim claim, CsiException refusal) {
    tellFailure(effect.seen().object(), String.valueOf(refusal.getMessage()));
    if (effect.telling() == Telling.NOBODY || refusal.uncertainOrExhausted()) return;
    boolean again = claim.condition(ClaimCondition.NODE_RESIZE_ERROR).isPresent();
    boolean hopeless =
        switch (refusal.code()) {
          case INVALID_ARGUMENT, OUT_OF_RANGE, NOT_FOUND -> true;
          default -> again && !claim.request().equals(effect.size());
        };
    var patch = hopeless ? stage(claim, Stage.NODE_INFEASIBLE) : ClaimStatusPatch.of(claim);
    try {
      patch.condition(error(refusal)).applyAnyway(api);
    } catch (ApiException unsaved) {
      refusal.addSuppressed(unsaved);
    }
  }

  private ClaimCondition error(CsiException refusal) {
    return new ClaimCondition(
        ClaimCondition.NODE_RESIZE_ERROR,
        "True",
        "",
        "failed to expand pvc with " + refusal.getMessage(),
        Optional.empty(),
        Optional.of(news.time().now().truncatedTo(ChronoUnit.SECONDS)));
  }

  private static ClaimStatusPatch stage(Claim claim, Stage stage) {
    var patch = ClaimStatusPatch.of(claim);
    patch.part("allocatedResourceStatuses").put(STORAGE, stage.text());
    return patch;
  }
}
