/// What is done to all files of a tree whose owner changes it meanwhile. Start at [OwnedTree].
///
/// Never: follows a link, crosses a mount, or names a file by a path again after it was looked at
/// (`OwnedTreeTest`).
@NullMarked
package dev.berth.linux.tree;

import org.jspecify.annotations.NullMarked;
