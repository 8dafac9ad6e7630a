package dev.berth.driver.baremetal.node;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.berth.driver.baremetal.decide.DriveEffect;
import dev.berth.driver.baremetal.manager.DriveManager;
import dev.berth.driver.baremetal.manager.DriveManager.Led;
import dev.berth.driver.baremetal.manager.DriveManager.Locate;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveState;
import dev.berth.driver.baremetal.object.DriveUsage;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.driver.baremetal.object.Share;
import dev.berth.driver.baremetal.object.Wipe;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/// Does what is decided about drives.
///
/// @param looked runs when a drive should be looked at again at once
public record DriveWork(
    Registry registry,
    DriveManager manager,
    SharePreparation shares,
    Preparation preparation,
    DriveLocks locks,
    EventRecorder events,
    Runnable looked)
    implements Effects<DriveEffect> {
  @Override
  public void carryOut(DriveEffect effect) throws IOException {
    switch (effect) {
      case DriveEffect.Register(var found, var nodeId) -> {
        var draft =
            Drive.draft(found.identity(), found.type(), found.size(), nodeId, found.named());
        registry.api().create(BareMetalKinds.DRIVES, draft);
      }
      case DriveEffect.Recognize(var drive, var annotations) ->
          registry
              .api()
              .patch(
                  BareMetalKinds.DRIVES,
                  drive.meta().key(),
                  new JsonPatch()
                      .testSame(drive.meta())
                      .setAnnotations(drive.meta(), annotations)
                      .patch());
      case DriveEffect.Observe(var drive, var state, var notices) -> {
        registry.observed(drive, state);
        notices.forEach(events::tell);
      }
      case DriveEffect.WipeLeft(var drive) -> locks.alone(drive.uuid(), () -> wipeLeft(drive));
      case DriveEffect.EndWipe(var drive) -> locks.alone(drive.uuid(), () -> endWipe(drive));
      case DriveEffect.ClearShare(var drive, var share) ->
          locks.alone(drive.uuid(), () -> clear(drive, share));
      case DriveEffect.Light light -> light(light);
      case DriveEffect.Lamp(var drive, var what) -> lamp(drive, what);
      case DriveEffect.Initialize(var drive) -> locks.alone(drive.uuid(), () -> initialize(drive));
      case DriveEffect.Admit(var drive, var heeded) -> admit(drive, heeded.stream().toList());
      case DriveEffect.Disregard(var drive, var annotation, var why) -> {
        heeded(drive, annotation);
        events.tell(why);
      }
      case DriveEffect.Forget(var drive) -> forget(drive);
      case DriveEffect.ReleaseAgain(var volume) ->
          registry
              .api()
              .patch(
                  BareMetalKinds.VOLUMES,
                  volume.meta().key(),
                  new JsonPatch().removeAnnotation(volume.meta(), Marks.RELEASE).patch());
      case DriveEffect.Heeded(var drive, var annotation) -> heeded(drive, annotation);
    }
  }

  private void heeded(Drive drive, String annotation) {
    registry
        .api()
        .patch(
            BareMetalKinds.DRIVES,
            drive.meta().key(),
            new JsonPatch().removeAnnotation(drive.meta(), annotation).patch());
  }

  /// BM-211: what was decided may be old; the server says whether the drive is still nobody's, the
  /// device whether it holds what was read of, and the kernel whether somebody has it mounted.
  private void initialize(Drive drive) throws IOException {
    var now = registry.drive(drive.meta().key());
    if (now.filter(it -> asReviewed(drive, it)).isEmpty()) return;
    var word = now.get().word(Marks.INITIALIZE);
    var progress = NotedProgress.ofReview(registry, now.get(), word);
    try (var device = HeldDevice.of(manager, now.get())) {
      // the last look may be older than what somebody has put there since
      if (!isAsRead(now.get(), progress)) {
        refuseToInitialize(now.get(), "it is not as it was when somebody read about it");
        return;
      }
      Preparation.refuseHeld(device.path());
      progress.begin(progress.done()); // from the first byte on it is not blank, whatever it shows
      preparation.wipe(Wipe.ZERO, device.path(), progress);
    } catch (Erasure.Touched _) {
      refuseToInitialize(now.get(), "somebody has written to it since its wipe was broken off");
      return;
    } catch (LinuxException e) {
      if (!(e.failure() instanceof Failure.Busy)) throw e;
      refuseToInitialize(now.get(), "somebody has it mounted, or open for himself");
      return;
    }
    var then = registry.drive(drive.meta().key());
    boolean wanted = then.filter(it -> it.word(Marks.INITIALIZE).equals(word)).isPresent();
    if (wanted) admit(then.get(), List.of(Marks.INITIALIZE, Marks.UNCLEAN));
    progress.end();
    if (!wanted) return;
    events.tell(
        Notice.normal(drive.ref(), "DriveInitialized", "all that was on the drive is taken off"));
    looked.run();
  }

  /// Of what was wiped for a while, what is zeros says whether anybody has been there since; what
  /// may not have been touched yet holds what was read of, or nothing that anybody knows.
  private boolean isAsRead(Drive now, NotedProgress progress) throws IOException {
    if (progress.done() > 0) return true;
    var obstacles = manager.obstacles(now);
    if (!progress.isBegun()) return now.isHolding(obstacles);
    return obstacles.isEmpty() || now.isReviewed(now.word(Marks.INITIALIZE), obstacles);
  }

  private void refuseToInitialize(Drive drive, String why) {
    heeded(drive, Marks.INITIALIZE);
    events.tell(
        Notice.warning(
            drive.ref(), "DriveInitializationRefused", "the drive is left as it is: " + why));
    looked.run();
  }

  /// BM-211: of the drive that was seen, as it was seen; the words go by the same write.
  private void admit(Drive drive, List<String> heeded) throws IOException {
    var patch =
        new JsonPatch()
            .testSame(drive.meta())
            .test(drive.meta().resourceVersion(), "metadata", "resourceVersion")
            .add(BooleanNode.TRUE, "spec", Drive.ADMITTED);
    heeded.forEach(annotation -> patch.removeAnnotation(drive.meta(), annotation));
    var written = registry.api().patch(BareMetalKinds.DRIVES, drive.meta().key(), patch.patch());
    if (!BareMetalKinds.DRIVE.read().apply(written).admitted())
      throw new IOException(
          "it cannot be noted that volumes may have drive %s: the definition of its kind is of an older version; apply the one of this version: deploy/helm/baremetal/crds"
              .formatted(drive.identity()));
  }

  private static boolean asReviewed(Drive drive, Drive now) {
    return now.meta().uid().equals(drive.meta().uid())
        && now.claimant().isEmpty()
        && !now.sharing().any()
        && now.pendingWipe().isEmpty()
        && now.word(Marks.INITIALIZE).equals(drive.word(Marks.INITIALIZE))
        && now.review().equals(drive.review());
  }

  /// BM-147: a lamp that fails is no failure of the drive.
  private void lamp(Drive drive, Locate what) {
    var before = drive.observed();
    try {
      var led = manager.locate(drive, what);
      registry.observed(drive, with(before, before.usage(), led));
    } catch (IOException e) {
      heeded(drive, Marks.LOCATE);
      events.tell(
          Notice.warning(
              drive.ref(),
              "DriveLocateLEDFailed",
              "its lamp cannot be turned %s: %s"
                  .formatted(what == Locate.STOP ? "off" : "on", e.getMessage())));
    }
    looked.run();
  }

  /// What was decided may be old: the server says whether it still has to be done (BM-102).
  private void wipeLeft(Drive drive) throws IOException {
    var now = registry.drive(drive.meta().key());
    if (now.filter(it -> Registry.sameWipe(drive, it)).isEmpty()) return;
    var progress = NotedProgress.ofVolume(registry, now.get(), uid(now.get()));
    try (var device = HeldDevice.of(manager, now.get())) {
      shares.pools().close(drive);
      preparation.wipe(Wipe.ZERO, device.path(), progress);
    }
    registry.wiped(drive);
    progress.end();
    looked.run();
  }

  private void endWipe(Drive drive) {
    var now = registry.drive(drive.meta().key());
    if (now.filter(it -> it.meta().uid().equals(drive.meta().uid()) && it.isWipedForNobody())
        .isPresent()) registry.noteWiping(drive.meta(), Optional.empty());
    looked.run();
  }

  /// What a volume has begun to take off itself need not be taken off once more.
  private static String uid(Drive drive) {
    return drive.claimantUid().isEmpty() ? drive.pendingWipe().orElse("") : drive.claimantUid();
  }

  private void clear(Drive drive, Share share) throws IOException {
    var now = registry.drive(drive.meta().key());
    if (now.filter(it -> it.sharing().shares().contains(share)).isEmpty()) return;
    shares.remove(share.uid(), drive);
    registry.cleared(drive.meta().key(), share);
    looked.run();
  }

  /// BM-136, BM-143: a drive without a lamp is found in the dark. BM-137: one whose lamp cannot be
  /// turned on is not removed, unless somebody has forced it.
  private void light(DriveEffect.Light effect) {
    var drive = effect.drive();
    try {
      var led = manager.locate(drive, Locate.START);
      registry.observed(drive, with(effect.state(), DriveUsage.REMOVED, led));
      effect.notices().forEach(events::tell);
    } catch (IOException e) {
      boolean forced = drive.observed().usage() == DriveUsage.REMOVED;
      var usage = forced ? DriveUsage.REMOVED : DriveUsage.FAILED;
      registry.observed(drive, with(effect.state(), usage, Led.NOT_AVAILABLE));
      events.tell(
          Notice.warning(
              drive.ref(),
              "DriveLocateLEDFailed",
              "its lamp cannot be turned on: " + e.getMessage()));
    }
    looked.run();
  }

  private static DriveState with(DriveState state, DriveUsage usage, Led led) {
    return new DriveState(
        state.health(),
        state.presence(),
        usage,
        state.path(),
        state.clean(),
        state.system(),
        led.ordinal(),
        state.conditions());
  }

  private void forget(Drive drive) {
    try {
      registry
          .api()
          .delete(BareMetalKinds.DRIVES, drive.meta().key(), DeleteOptions.uid(drive.meta().uid()));
      events.tell(
          Notice.normal(drive.ref(), "DriveSuccessfullyRemoved", "the drive has been removed"));
    } catch (ApiException refused) {
      if (!refused.isNotFound()) throw refused;
    }
  }
}
