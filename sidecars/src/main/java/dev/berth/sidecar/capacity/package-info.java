/// Publishes how much room a driver has, as CSIStorageCapacity objects: one for each class and each
/// part of the cluster that the driver tells from others (spec/provisioner.md, section 15). Start
/// at [Capacities].
///
/// Always: what waits to be asked is known by its class and place, so that equal work is one work
/// (`CapacitiesTest`). Never: touches an object without both of our labels (`CapacitiesTest`).
@NullMarked
package dev.berth.sidecar.capacity;

import org.jspecify.annotations.NullMarked;
