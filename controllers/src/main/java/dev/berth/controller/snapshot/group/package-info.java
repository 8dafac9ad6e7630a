/// The snapshot controller's groups: gives each VolumeGroupSnapshot its content and each volume of
/// it a VolumeSnapshot of its own, without ever talking to a driver (spec/snapshotter.md, section
/// 7). Start at [GroupSnapshots].
///
/// Always: the group is held before a content asks for it, so that no content outlives it unseen
/// (`GroupDecisionTest`). Never: deletes a content whose policy is Retain (`GroupDecisionTest`).
@NullMarked
package dev.berth.controller.snapshot.group;

import org.jspecify.annotations.NullMarked;
