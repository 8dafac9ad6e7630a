/// What stands beside a CSI driver and carries out for it what Kubernetes' objects ask for. Start
/// at [DriverSidecars]: all of them for one driver, in one process, on one connection.
///
/// - `part`: what they are made of, one of upstream's sidecars each
/// - `connection`: who the driver is and what it can do
/// - `dispatch`: which drivers an object concerns
/// - `provisioner`: a volume for each claim
/// - `reclaimer`: no volume without a claim
/// - `attacher`: volumes attached to nodes
/// - `resizer`: volumes as large as their claims ask
/// - `modifier`: volumes with the attributes that their claims ask for
/// - `nodeplugin`: what a driver's pod on a node does when it comes and before it goes
/// - `rights`: what the API server lets it do
/// - `metric`: what it tells Prometheus
/// - `secret`, `write`: what they share
@NullMarked
package dev.berth.sidecar;

import org.jspecify.annotations.NullMarked;
