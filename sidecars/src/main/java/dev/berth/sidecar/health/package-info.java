/// Tells of volumes that are not well, as their drivers see them from the controller's side
/// (spec/health-registrar-liveness.md, HM and VH): by events, where the driver speaks of conditions
/// as CSI did up to 1.12, and in the claim's status, where it speaks of health as 1.13 does. Start
/// at [HealthMonitor].
///
/// Always: what a driver says replaces what was said before; a call that failed says nothing
/// (`HealthMonitorTest`). Never: both protocols for one driver (`ProtocolTest`); touches anything
/// of a claim but `status.healthStatus` (`HealthMonitorTest`).
@NullMarked
package dev.berth.sidecar.health;

import org.jspecify.annotations.NullMarked;
