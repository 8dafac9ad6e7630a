/// A complete CSI driver to begin from (docs/write-a-driver.md): a volume is a folder of a pool on
/// one machine, and is published by a bind mount.
///
/// Always: the pool and the kernel know all there is to know; killed at any moment and started
/// again, the driver goes on from there (`FolderDriverTest`). Never: a half-made volume is listed
/// (`FolderDriverTest`). A folder has no size of its own: the size asked for is checked against the
/// free space once and is not enforced.
@NullMarked
package dev.berth.example;

import org.jspecify.annotations.NullMarked;
