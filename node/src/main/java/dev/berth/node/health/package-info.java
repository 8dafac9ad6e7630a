/// Asks drivers that speak of health as CSI 1.13 does how the volumes are that are mounted on this
/// node, and writes it to their pods (spec/health-registrar-liveness.md, VH). Start at
/// [VolumeHealths]. [StorageHealths] does the same for the storage behind drivers and the node's
/// own CSINode. Of drivers that speak of conditions as 1.12 did `stats` tells.
///
/// Always: what a driver says replaces what was said before; a call that failed says nothing
/// (`VolumeHealthsTest`). Never: writes to a claim, or to a pod of another node
/// (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.node.health;

import org.jspecify.annotations.NullMarked;
