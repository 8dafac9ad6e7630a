/// A cluster of simulated processes that run the real controllers, sidecars and node agents. Start
/// at [Cluster].
@NullMarked
package dev.berth.simulation.cluster;

import org.jspecify.annotations.NullMarked;
