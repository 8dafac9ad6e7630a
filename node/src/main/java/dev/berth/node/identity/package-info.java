/// What the API says of this node: its Node, its CSINode and its Lease (spec/node.md, section 2 and
/// NRUN-13). Start at [NodeIdentity].
///
/// Always: a driver stands in the Node's annotation before it stands in the CSINode (NCSN-04), and
/// is told that it is registered only after both (`IdentityDecisionTest`). Never: removes a label,
/// or an entry of a driver that was not registered here since the agent started
/// (`IdentityDecisionTest`).
@NullMarked
package dev.berth.node.identity;

import org.jspecify.annotations.NullMarked;
