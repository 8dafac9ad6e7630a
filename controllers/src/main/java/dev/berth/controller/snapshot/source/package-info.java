/// The claims that snapshots are taken of, alone or in groups: what keeps them, and who lets go of
/// them (spec/snapshotter.md, SNAP-21, SNAP-30, SNAP-76). Start at [Takings].
///
/// Always: a claim that carries the finalizer is looked at anew when the last of its snapshots has
/// gone, whoever ran meanwhile (`ClaimKeeperTest`). Never: takes off another finalizer than
/// `snapshot.storage.kubernetes.io/pvc-as-source-protection` (`SnapshotsTest`).
@NullMarked
package dev.berth.controller.snapshot.source;

import org.jspecify.annotations.NullMarked;
