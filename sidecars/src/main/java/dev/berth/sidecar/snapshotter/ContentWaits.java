package dev.berth.sidecar.snapshotter;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Ref;
import dev.berth.kube.snapshot.SnapshotClass;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.sidecar.snapshotter.SnapshotEffect.Report;
import java.time.Duration;
import java.util.Optional;

/// What keeps a snapshot from being taken or deleted.
final class ContentWaits {
  /// What cutting a snapshot may take where all is well.
  private static final Duration USUAL = Duration.ofMinutes(5);

  private final String driver;

  ContentWaits(String driver) {
    this.driver = driver;
  }

  /// Told in the content's status first, once, and then waited out (SNAP-63).
  Step told(SnapshotContent content, String why, Wait until) {
    var message = SnapshotWords.message(content, why);
    var told = content.shown().error().flatMap(it -> it.message());
    return told.equals(Optional.of(message))
        ? until
        : new Act(new Report(content.meta().key(), message, new Seen<>(content))).then(until);
  }

  Wait untilClassNamed(SnapshotContent content) {
    return Wait.on(content.ref(), "spec.volumeSnapshotClassName")
        .since(content.meta().created())
        .until("it names a class: without one no snapshot is taken")
        .remedy("name a VolumeSnapshotClass of driver " + driver);
  }

  Wait untilClassExists(SnapshotContent content, Ref missing) {
    return Wait.on(missing)
        .since(content.meta().created())
        .until("snapshot class %s exists".formatted(missing.key().name()))
        .remedy("create the VolumeSnapshotClass, with driver " + driver);
  }

  Wait untilParametersAreKnown(SnapshotContent content, SnapshotClass by, String key) {
    return Wait.on(by.ref(), "parameters")
        .since(content.meta().created())
        .until("parameter %s, which nobody knows, is gone".formatted(key))
        .remedy("take it out of VolumeSnapshotClass " + by.meta().name());
  }

  Wait untilSecretsResolve(SnapshotContent content, SnapshotClass by, String why) {
    return Wait.on(by.ref(), "parameters")
        .since(content.meta().created())
        .until("its parameters name a Secret: " + why)
        .remedy("set both parameters of the Secret in VolumeSnapshotClass " + by.meta().name());
  }

  Wait untilBound(SnapshotContent content) {
    return Wait.on(content.ref(), "spec.volumeSnapshotRef.uid")
        .since(content.meta().created())
        .until("a snapshot is bound to it")
        .remedy("create a VolumeSnapshot instead: it makes its own content");
  }

  Wait untilReady(SnapshotContent content) {
    return Wait.on(content.ref(), "status.readyToUse")
        .since(content.meta().created())
        .until("driver %s says that the snapshot is ready".formatted(driver))
        .ifLate(USUAL, "look at the log of driver " + driver);
  }

  Wait untilANodeHasIt(SnapshotContent content) {
    return Wait.on(content.ref(), "metadata.labels")
        .since(content.meta().created())
        .until(
            "driver %s of some node says that it has snapshot %s"
                .formatted(driver, content.snapshotHandle().orElseThrow()))
        .ifLate(USUAL, "look whether spec.source.snapshotHandle is right, and its node alive");
  }

  static Wait untilSecretNamed(SnapshotContent content) {
    return Wait.on(content.ref(), "metadata.annotations")
        .since(content.meta().created())
        .until("its annotations name a Secret by name and namespace; one of them is empty")
        .remedy("set both annotations of the Secret, or take both off");
  }

  /// SNAP-18.
  static Wait untilSecretNamedAtDeletion(SnapshotContent content) {
    return untilSecretNamed(content)
        .tell(
            Notice.warning(
                content.ref(),
                Reasons.SNAPSHOT_DELETE_ERROR,
                "Failed to get snapshot credentials: "
                    + SnapshotWords.secretUnnamed(content.meta().name())));
  }

  static Wait untilGroupIsTaken(SnapshotContent content) {
    return Wait.on(content.ref(), "status.snapshotHandle")
        .since(content.meta().created())
        .until("the snapshot controller tells its handle, which came with its group's")
        .ifLate(USUAL, "look whether the snapshot controller runs");
  }

  /// SNAP-55: what to delete is the snapshot, not its content.
  static Wait untilItsSnapshotGoes(SnapshotContent content) {
    var snapshot = content.snapshot().key();
    return Wait.on(Ref.of(SnapshotResources.SNAPSHOTS, snapshot))
        .since(content.meta().deleted().orElseThrow())
        .until("volumesnapshot %s, whose it is, is deleted too".formatted(snapshot))
        .remedy("delete volumesnapshot %s".formatted(snapshot))
        .tell(
            Notice.warning(
                content.ref(),
                Reasons.SNAPSHOT_DELETE_PENDING,
                "the content is kept until VolumeSnapshot %s is deleted".formatted(snapshot)));
  }
}
