/// Holds any CSI driver, in any language, against the specification (spec/csi.md, SAN-110). Start
/// at [Conformance]; what is asked stands in [dev.berth.conform.subject].
///
/// Always: only the socket and the mounts that it leads to are looked at; nothing is known of how a
/// driver is made (`RoomsArchitectureTest`).
///
/// Never: a call that only our own drivers would take well.
@NullMarked
package dev.berth.conform;

import org.jspecify.annotations.NullMarked;
