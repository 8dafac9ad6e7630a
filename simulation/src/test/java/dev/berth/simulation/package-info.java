/// Whole clusters in one thread on virtual time, from a seed. Start at [SimulationTest].
///
/// - `time`: the clock and the threads
/// - `api`: the real API server, and the unreliable way to it
/// - `driver`: a CSI driver without sockets
/// - `cluster`: the processes, the users, the weather
/// - `invariant`: what must hold
/// - `mutation`: mistakes that have to be found
@NullMarked
package dev.berth.simulation;

import org.jspecify.annotations.NullMarked;
