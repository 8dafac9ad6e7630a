/// The snapshot controller: gives each VolumeSnapshot its content and keeps what it needs, without
/// ever talking to a driver (spec/snapshotter.md, sections 3 to 5). Start at [Snapshots].
///
/// Always: the claim is held before a content asks for a snapshot of it (`SnapshotDecisionTest`).
/// Never: deletes a content whose policy is Retain, nor one because its snapshot is missing
/// (`SnapshotDecisionTest`).
@NullMarked
package dev.berth.controller.snapshot;

import org.jspecify.annotations.NullMarked;
