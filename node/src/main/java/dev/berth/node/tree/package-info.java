/// Deletes what the agent has put on this machine's disk. Start at [Trees].
///
/// Never: follows a link, or deletes anything on another file system than the one it began on
/// (`TreesTest`).
@NullMarked
package dev.berth.node.tree;

import org.jspecify.annotations.NullMarked;
