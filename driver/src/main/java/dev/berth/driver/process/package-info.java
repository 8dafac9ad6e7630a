/// A driver alone in a process: its arguments, its end, and what a node wants beside the socket.
/// Start at [DriverProcess].
///
/// Always: the process ends only when it is told to, or before it has begun to serve, with the
/// reason (`DriverProcessTest`). Never: an answer about liveness that did not come over the
/// driver's own socket (`LivenessTest`).
@NullMarked
package dev.berth.driver.process;

import org.jspecify.annotations.NullMarked;
