/// Leases: who is at work, for everybody to see. Start at [Election], or at [Heartbeat] where
/// nobody else can want to do the work: then a Lease only says whether it is done.
///
/// Never: two candidates that lead at once, as long as no clock runs faster than another by a third
/// (`ElectionTest`).
@NullMarked
package dev.berth.kube.lease;

import org.jspecify.annotations.NullMarked;
