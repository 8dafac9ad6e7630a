/// The driver `csi-baremetal`: local drives as volumes, with their health. Start at
/// [BareMetalDriver]; docs/decisions/bare-metal.md says why it is cut as it is.
///
/// `manager` finds drives, `object` is what the cluster knows of them, `decide` brings the two
/// together, `node` and `controller` are CSI's two sides.
///
/// Always: two volumes never share a whole drive (`ClaimTest`). Never: takes a drive that holds
/// anything (`DriveKeeperTest`, `BareMetalDriverTest`).
@NullMarked
package dev.berth.driver.baremetal;

import org.jspecify.annotations.NullMarked;
