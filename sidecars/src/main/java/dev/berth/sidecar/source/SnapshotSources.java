package dev.berth.sidecar.source;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.Claim;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.snapshot.SnapshotAnnotations;
import dev.berth.kube.snapshot.SnapshotContent;
import dev.berth.kube.snapshot.SnapshotFinalizers;
import dev.berth.kube.snapshot.SnapshotKinds;
import dev.berth.kube.snapshot.SnapshotResources;
import dev.berth.kube.snapshot.VolumeSnapshot;
import java.util.Set;

/// Reads snapshots as sources of volumes (PROV-65 to PROV-67).
public final class SnapshotSources {
  private static final Set<String> TRUE = Set.of("1", "t", "T", "TRUE", "true", "True");
  private static final Set<String> FALSE = Set.of("0", "f", "F", "FALSE", "false", "False");

  /// What becomes of a claim whose mode is not the one of the volume that was snapshot.
  public enum Modes {
    /// An administrator has to have said that they may differ.
    KEPT,
    FREE
  }

  private final Api api;
  private final Modes modes;

  public SnapshotSources(Api api, Modes modes) {
    this.api = api;
    this.modes = modes;
  }

  /// The snapshot, ready for the claim.
  ///
  /// @param provisioner driver that is to make the volume
  /// @throws UnusableSource if it is not
  public Source.OfSnapshot find(Claim claim, ObjectKey key, String provisioner) {
    var snapshot = read(key);
    boolean begun = snapshot.meta().hasFinalizer(SnapshotFinalizers.PROVISIONER_SOURCE);
    if (snapshot.meta().deleting() && !begun)
      throw new UnusableSource("snapshot %s is being deleted".formatted(key.name())); // PROV-66
    var contentName =
        snapshot
            .boundContent()
            .orElseThrow(
                () -> new UnusableSource("snapshot %s is not bound".formatted(key.name())));
    var content = content(contentName, key);
    var what = "snapshotcontent %s for snapshot %s".formatted(contentName, key.name());
    if (!content.snapshot().isBoundTo(snapshot.meta()))
      throw new UnusableSource(what + " is bound to a different snapshot");
    if (!content.driver().equals(provisioner))
      throw new UnusableSource(
          "%s is handled by a different CSI driver than requested by StorageClass %s"
              .formatted(what, claim.className().orElse("")));
    if (!snapshot.shown().readyToUse().orElse(false))
      throw new UnusableSource("snapshot %s is not Ready".formatted(key.name()));
    var handle =
        content
            .handle()
            .orElseThrow(() ->
                new UnusableSource("snapshot handle %s is not available".formatted(key.name())));
    checkSize(claim, snapshot);
    checkMode(claim, content);
    return new Source.OfSnapshot(key, handle);
  }

  private VolumeSnapshot read(ObjectKey key) {
    try {
      return SnapshotKinds.SNAPSHOT.read().apply(api.get(SnapshotResources.SNAPSHOTS, key));
    } catch (ApiException refused) {
      throw because(
          refused,
          "error getting snapshot %s from api server: %s"
              .formatted(key.name(), refused.getMessage()));
    }
  }

  private SnapshotContent content(String name, ObjectKey snapshot) {
    try {
      return SnapshotKinds.CONTENT
          .read()
          .apply(api.get(SnapshotResources.CONTENTS, ObjectKey.cluster(name)));
    } catch (ApiException refused) {
      throw because(
          refused,
          "error getting snapshotcontent %s for snapshot %s from api server: %s"
              .formatted(name, snapshot.name(), refused.getMessage()));
    }
  }

  private static UnusableSource because(ApiException refused, String why) {
    var unusable = new UnusableSource(why);
    unusable.initCause(refused);
    return unusable;
  }

  /// A larger volume is the driver's to grow.
  private static void checkSize(Claim claim, VolumeSnapshot snapshot) {
    var least = snapshot.shown().restoreSize();
    if (least.isEmpty() || claim.request().compareTo(least.get()) >= 0) return;
    throw new UnusableSource(
        "requested volume size %d is less than the size %d for the source snapshot %s"
            .formatted(claim.request().toLong(), least.get().toLong(), snapshot.meta().name()));
  }

  /// PROV-67.
  private void checkMode(Claim claim, SnapshotContent content) {
    var was = content.sourceVolumeMode();
    if (modes == Modes.FREE || was.isEmpty() || was.get().equals(claim.volumeMode().text())) return;
    var key = SnapshotAnnotations.ALLOW_VOLUME_MODE_CHANGE;
    var said = content.meta().annotation(key);
    if (said.filter(TRUE::contains).isPresent()) return;
    var why =
        said.isEmpty()
            ? key + " annotation is not present on snapshotcontent " + content.meta().name()
            : FALSE.contains(said.get())
                ? key + " is set to false on snapshotcontent " + content.meta().name()
                : "%s of snapshotcontent %s is no boolean: \"%s\""
                    .formatted(key, content.meta().name(), said.get());
    throw new UnusableSource(
        """
        requested volume %s modifies the mode of the source volume but does not have permission \
        to do so. %s\
        """
            .formatted(claim.meta().key(), why));
  }
}
