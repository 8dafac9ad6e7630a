/// Lets go of what volumes were filled from, once no volume is any more (spec/provisioner.md,
/// section 13). Start at [CloneProtection].
///
/// Always: the finalizer stays while a claim that names the source is pending, in whatever
/// namespace and by whichever of its fields, also if the claim is being deleted: it is then held by
/// its own finalizer until nothing is under way. Of a snapshot it goes when the claim's volume is
/// saved, bound or not (`ProtectionTest`). Putting one on is the provisioner's.
@NullMarked
package dev.berth.sidecar.protection;

import org.jspecify.annotations.NullMarked;
