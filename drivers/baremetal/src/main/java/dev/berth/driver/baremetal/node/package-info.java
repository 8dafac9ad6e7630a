/// What is done to drives on a node: file systems, mounts, wiping. Start at [NodeVolumes] for CSI's
/// side, at [Preparation] for what happens before and after.
@NullMarked
package dev.berth.driver.baremetal.node;

import org.jspecify.annotations.NullMarked;
