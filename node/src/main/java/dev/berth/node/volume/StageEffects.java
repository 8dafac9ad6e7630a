package dev.berth.node.volume;

import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.name.Reasons;
import dev.berth.node.volume.MountEffect.Stage;
import dev.berth.node.volume.MountNews.Step;
import dev.berth.node.volume.VolumeFiles.StillMountedException;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Staging;
import java.io.IOException;

/// Stages volumes and undoes it, once for the node. The order is [MountEffects]'s.
record StageEffects(DriverRequests requests, VolumeFiles all, ActualState state, MountNews news) {
  void stage(Stage effect) throws IOException {
    var want = effect.want();
    var began = news.time().now();
    try {
      var driver = requests.driver(want.name());
      if (!driver.can(RPC.Type.STAGE_UNSTAGE_VOLUME)) {
        var skipped = stageable(want.name()).skip();
        state.change(want.name(), volume -> volume.with(skipped));
        return;
      }
      var group =
          stageable(want.name())
              .group()
              .orElseGet(() -> DriverRequests.told(driver, effect.group()));
      stage(want, requests.of(want, driver, group, want.source().nodeStageSecret(), "Stage"));
    } catch (RuntimeException | IOException failure) {
      news.failed(want, Step.STAGE, failure);
      throw failure;
    }
    news.done(want, Reasons.VOLUME_STAGED, "staged", began);
  }

  private void stage(Want want, NodeRequests ready) throws IOException {
    var name = want.name();
    var files = all.of(want.form());
    files.announceStaging(name, want.spec(), ready.group());
    var announced = stageable(name).announce(ready.group());
    state.change(name, volume -> volume.with(want.form()).with(announced));
    try {
      ready.driver().calls().nodeStageVolume(ready.stage(files.stagingTarget(name)));
    } catch (CsiException refused) {
      if (!refused.uncertainOrExhausted()) refuteStaging(files, name, announced);
      throw refused;
    }
    state.change(name, volume -> volume.with(announced.confirm()));
  }

  private Staging.Stageable stageable(VolumeName name) {
    if (state.now().volume(name).staging() instanceof Staging.Stageable stageable) return stageable;
    throw new IllegalStateException(name + " is to be staged, and is already");
  }

  /// The driver refused for good; but what is mounted is mounted.
  private void refuteStaging(VolumeFiles files, VolumeName name, Staging.Uncertain announced)
      throws IOException {
    if (!(announced.refute() instanceof Staging.Absent absent)) return;
    try {
      files.removeStaging(name);
    } catch (StillMountedException _) {
      return;
    }
    state.change(name, volume -> volume.with(absent));
  }

  /// A failure leaves it uncertain, and the next attempt begins with the same call. Who wants the
  /// volume meanwhile finds it absent afterwards, and attached as before (NOPX-09).
  void unstage(VolumeName name) throws IOException {
    var files = all.of(state.now().volume(name).form());
    var others = files.otherMountsOf(name);
    if (!others.isEmpty())
      throw new IOException(
          "the device mount path \"%s\" is still mounted by other references %s"
              .formatted(files.stagingTarget(name), others));
    var driver = requests.driver(name);
    if (!(state.now().volume(name).staging() instanceof Staging.Unstageable staged))
      throw new IllegalStateException(name + " is to be unstaged, and is not staged");
    var undone = staged.undo();
    state.change(name, volume -> volume.with(undone));
    if (driver.can(RPC.Type.STAGE_UNSTAGE_VOLUME))
      driver
          .calls()
          .nodeUnstageVolume(
              NodeUnstageVolumeRequest.newBuilder()
                  .setVolumeId(name.handle())
                  .setStagingTargetPath(files.stagingTarget(name).toString())
                  .build());
    files.removeStaging(name);
    state.change(name, volume -> volume.with(undone.gone()));
  }
}
