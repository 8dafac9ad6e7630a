/// A CSI driver without sockets and disks. Start at [Backend]: what it knows and what it insists
/// on.
///
/// Always: its state outlives every simulated process. Never: carries out two operations on one
/// volume at a time; the second one is refused as ABORTED, as the CSI specification advises.
@NullMarked
package dev.berth.simulation.driver;

import org.jspecify.annotations.NullMarked;
