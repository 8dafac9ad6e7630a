/// Has a driver take and delete snapshots, for the VolumeSnapshotContents that name it
/// (spec/snapshotter.md, section 6). Start at [Snapshotter].
///
/// Always: the content says that a snapshot may be coming into being before the driver hears of it,
/// and says so until its outcome is known (`SnapshotterTest`). Never: looks at a VolumeSnapshot, or
/// deletes one whose policy is Retain (`SnapshotterTest`).
@NullMarked
package dev.berth.sidecar.snapshotter;

import org.jspecify.annotations.NullMarked;
