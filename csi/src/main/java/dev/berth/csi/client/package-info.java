/// Calling a CSI driver.
///
/// The interfaces `…Calls` are all that controllers, sidecars and node know of a driver: one
/// blocking method a RPC, the generated messages, and [CsiException] for every failure.
/// [CsiConnection] implements them over a Unix socket; a simulation implements them itself.
///
/// Always: every call has a deadline and ends (`SocketServerTest`). Never: a retry; who calls knows
/// whether to call again (`SocketServerTest`).
@NullMarked
package dev.berth.csi.client;

import org.jspecify.annotations.NullMarked;
