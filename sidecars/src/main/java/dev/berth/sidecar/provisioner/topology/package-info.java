/// Where a volume is to be reachable: segments of a driver's topology, and which of them come
/// first. Start at [Segments].
@NullMarked
package dev.berth.sidecar.provisioner.topology;

import org.jspecify.annotations.NullMarked;
