/// The volume manager: what the kubelet does so that a pod finds its volumes mounted and nobody
/// else's data is touched (spec/node.md, sections 3 to 6 and 10). Start at [Volumes].
///
/// Always: `volumesInUse` is written before `volumesAttached` is read, and read from the server
/// (AD-63); containers have ended before a volume is unpublished (NREC-07); a note is on disk
/// before the driver hears of a mount, so that a killed agent leaves nothing that the next one does
/// not find (NREC-08, `MountDecisionTest`). Never: attaches or detaches (NVM-18); deletes
/// recursively; unmounts by itself what a driver has mounted (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.node.volume;

import org.jspecify.annotations.NullMarked;
