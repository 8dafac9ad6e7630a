/// The end of all that runs and is mounted on a node, where the machine or the stack goes down
/// (NSHT-02). Start at [Drain]. Volumes and pods see the order and do their part; here is decided
/// when enough of it is done.
///
/// Never: waits for a driver longer than whoever ordered it has patience for (`NodeAgentTest`).
@NullMarked
package dev.berth.node.drain;

import org.jspecify.annotations.NullMarked;
