/// Watches over nodes: one that is no longer heard of is said to be unknown, its pods not ready,
/// and taints keep pods away from it and take them off; one that comes back is cleared
/// (spec/control-plane.md, PGC-02, AD-56). Start at [NodeLife].
///
/// Always: a node has the whole grace after this process began to listen, whatever its clock says
/// (`NodeKeeperTest`). Never: takes pods off nodes when none is left that is ready
/// (`NodeKeeperTest`).
@NullMarked
package dev.berth.controller.nodelife;

import org.jspecify.annotations.NullMarked;
