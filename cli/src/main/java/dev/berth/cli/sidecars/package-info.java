/// The process beside a driver on a cluster: its sidecars, in one. Start at [SidecarProcess].
///
/// Never: needs a stack of ours. All it knows comes from the API server and from the sockets
/// (`SidecarsPageTest`).
@NullMarked
package dev.berth.cli.sidecars;

import org.jspecify.annotations.NullMarked;
