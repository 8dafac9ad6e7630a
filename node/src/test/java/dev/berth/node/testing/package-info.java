/// A node without a machine: driver, directories and containers in memory. What is in them survives
/// the agent, as on a real machine.
@NullMarked
package dev.berth.node.testing;

import org.jspecify.annotations.NullMarked;
