/// Leases: who is at work, for everybody to see. Start at [Heartbeat].
///
/// Never: an election. One process does each work here; a lease only says whether it does.
@NullMarked
package dev.berth.kube.lease;

import org.jspecify.annotations.NullMarked;
