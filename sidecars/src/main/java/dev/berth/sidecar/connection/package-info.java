/// One driver behind its socket, as all of its sidecars see it (spec/provisioner.md, PROV-01 to
/// PROV-04). Start at [DriverFacts]: what a decision may know of a driver.
///
/// Always: facts are asked for once per connection and dropped with it (`DriverSidecarsTest`).
/// Never: a driver's facts outlive its connection, and one driver's loss touches another driver
/// (`DriverSidecarsTest`).
@NullMarked
package dev.berth.sidecar.connection;

import org.jspecify.annotations.NullMarked;
