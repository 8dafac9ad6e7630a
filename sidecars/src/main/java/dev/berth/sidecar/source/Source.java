package dev.berth.sidecar.source;

import dev.berth.csi.v1.VolumeContentSource;
import dev.berth.kube.object.ObjectKey;

/// What the driver fills a new volume from.
public sealed interface Source {
  String SNAPSHOT_KIND = "VolumeSnapshot";
  String CLAIM_KIND = "PersistentVolumeClaim";

  /// The object that stands for it: a VolumeSnapshot or a claim.
  ObjectKey key();

  /// The driver's name for it.
  String handle();

  /// As CreateVolume is told.
  VolumeContentSource told();

  record OfSnapshot(ObjectKey key, String handle) implements Source {
    @Override
    public VolumeContentSource told() {
      var source = VolumeContentSource.newBuilder();
      source.getSnapshotBuilder().setSnapshotId(handle);
      return source.build();
    }
  }

  record OfClaim(ObjectKey key, String handle) implements Source {
    @Override
    public VolumeContentSource told() {
      var source = VolumeContentSource.newBuilder();
      source.getVolumeBuilder().setVolumeId(handle);
      return source.build();
    }
  }
}
