/// Attaches volumes to nodes and detaches them, for the VolumeAttachments of our driver
/// (spec/attacher.md). Start at [Attacher].
///
/// Always: our finalizers are on volume and attachment before the driver hears of them, and go only
/// when the driver has said that the volume is detached (`AttacherTest`). Never: creates or deletes
/// a VolumeAttachment (`AbsencesArchitectureTest`); writes to another driver's (`AttacherTest`).
///
/// Absent on purpose: in-tree migration with its inline volumes.
@NullMarked
package dev.berth.sidecar.attacher;

import org.jspecify.annotations.NullMarked;
