/// Deletes volumes whose claims have gone, the storage first, the object after it
/// (spec/provisioner.md, sections 11 and 12). Start at [Reclaimer].
///
/// Always: the PersistentVolume stands until the driver has said that the storage is gone; no
/// DeleteVolume while an attachment names the volume (PROV-133, `ReclaimerTest`). Never: a volume
/// deleted whose policy is not Delete at that very moment (RECL-05, `ReclaimerTest`), or one that
/// another provisioner made.
@NullMarked
package dev.berth.sidecar.reclaimer;

import org.jspecify.annotations.NullMarked;
