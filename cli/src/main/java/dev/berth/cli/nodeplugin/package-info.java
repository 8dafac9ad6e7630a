/// What stands beside the node plugin of a driver that is not ours
/// (spec/health-registrar-liveness.md, 6 and 9): upstream's livenessprobe and
/// node-driver-registrar, each with its own command line, and [NodeSidecars], which is both for any
/// number of drivers in one process. Start at [DriverRegistrar].
///
/// Always: a driver that goes ends nothing here, and another driver does not notice
/// (`NodeSidecarsTest`). Never: makes the folder in which the kubelet is to look
/// (`DriverRegistrarTest`).
@NullMarked
package dev.berth.cli.nodeplugin;

import org.jspecify.annotations.NullMarked;
