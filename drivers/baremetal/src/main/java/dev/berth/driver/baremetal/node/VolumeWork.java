package dev.berth.driver.baremetal.node;

import dev.berth.driver.baremetal.decide.VolumeEffect;
import dev.berth.driver.baremetal.manager.DriveManager;
import dev.berth.driver.baremetal.node.Preparation.Outcome;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Layout;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.registry.Registry;
import dev.berth.kube.api.JsonPatch;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Effects;
import java.io.IOException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Does what is decided about volumes on a node.
///
/// @param looked runs when a drive should be looked at again at once
public record VolumeWork(
    Registry registry,
    DriveManager manager,
    SharePreparation shares,
    Preparation preparation,
    DriveLocks locks,
    EventRecorder events,
    Runnable looked)
    implements Effects<VolumeEffect> {
  @Override
  public void carryOut(VolumeEffect effect) throws IOException {
    switch (effect) {
      case VolumeEffect.Prepare(var volume, var drive) ->
          locks.alone(drive.uuid(), () -> prepare(volume, drive));
      case VolumeEffect.Release(var volume, var drive) ->
          locks.alone(drive.uuid(), () -> release(volume, drive));
      case VolumeEffect.Released(var volume) -> removed(volume);
      case VolumeEffect.Heeded(var volume, var annotation) -> {
        var _ =
            registry
                .api()
                .patch(
                    BareMetalKinds.VOLUMES,
                    volume.meta().key(),
                    new JsonPatch().removeAnnotation(volume.meta(), annotation).patch());
      }
      case VolumeEffect.Tell(
              var volume,
              var health,
              var operational,
              var usage,
              var findings,
              var notices) -> {
        registry.writeStatus(
            volume,
            status -> {
              status
                  .put("Health", health.name())
                  .put("OperationalStatus", operational.name())
                  .put("Usage", usage.name());
              var all = status.putArray("Findings");
              findings.forEach(it -> all.add(it.write()));
            });
        notices.forEach(events::tell);
      }
    }
  }

  private void prepare(LocalVolume volume, Drive drive) throws IOException {
    var now = standing(volume, drive, CsiStatus.CREATING);
    if (now.isEmpty()) return;
    BooleanSupplier begin = () -> registry.begin(volume);
    Outcome outcome;
    try (var device = HeldDevice.of(manager, drive)) {
      outcome =
          switch (volume.layout()) {
            case DRIVE -> preparation.prepare(now.get(), device.path(), begin);
            case PARTITION -> preparation.prepareInPartition(now.get(), device.path(), begin);
            case SHARE -> shares.prepare(now.get(), drive, begin);
          };
    }
    switch (outcome) {
      case Outcome.Made _ -> {
        var _ =
            registry.move(
                volume.meta(), CsiStatus.CREATED, status -> status.put(LocalVolume.WRITTEN, true));
      }
      case Outcome.GivenUp _ -> {}
      case Outcome.Refused(var why) -> {
        registry.move(volume.meta(), CsiStatus.FAILED, status -> status.put("Message", why));
        events.tell(Notice.warning(volume.ref(), "VolumeCreateFailed", why));
      }
    }
    looked.run();
  }

  /// The drive is free only when nothing of the volume is on it. What the volume has not written is
  /// not wiped (BM-111).
  private void release(LocalVolume volume, Drive drive) throws IOException {
    var now = standing(volume, drive, CsiStatus.REMOVING);
    if (now.isEmpty()) return;
    var progress = Optional.<NotedProgress>empty();
    if (volume.layout() == Layout.SHARE) shares.remove(volume.meta().uid(), drive);
    else if (now.get().written()) progress = wipe(volume, drive);
    if (now.get().leavesItsBytes()) registry.giveBackUnclean(drive.meta().key(), volume.meta());
    else registry.giveBack(drive.meta().key(), volume.meta());
    progress.ifPresent(NotedProgress::end);
    removed(volume);
    looked.run();
  }

  private Optional<NotedProgress> wipe(LocalVolume volume, Drive drive) throws IOException {
    var now = registry.drive(drive.meta().key()).orElse(drive);
    var progress = NotedProgress.ofVolume(registry, now, volume.meta().uid());
    try (var device = HeldDevice.of(manager, drive)) {
      preparation.wipe(volume.wipe(), device.path(), progress);
    }
    return Optional.of(progress);
  }

  /// The volume as the server has it, if what was decided about it still holds there: it stands
  /// where it stood, and the drive is its own (BM-81).
  private Optional<LocalVolume> standing(LocalVolume volume, Drive drive, CsiStatus status) {
    if (registry.drive(drive.meta().key()).filter(it -> it.claimedBy(volume.meta())).isEmpty())
      return Optional.empty();
    return registry
        .volume(volume.meta().key())
        .filter(it -> it.meta().uid().equals(volume.meta().uid()))
        .filter(it -> it.status() == status);
  }

  private void removed(LocalVolume volume) {
    var _ = registry.move(volume.meta(), CsiStatus.REMOVED, _ -> {}); // gone is as good
  }
}
