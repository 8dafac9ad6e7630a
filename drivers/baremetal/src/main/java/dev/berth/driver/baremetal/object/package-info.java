/// What the cluster knows: drives, volumes and nodes as objects of upstream's group
/// `csi-baremetal.dell.com`. Start at [Drive].
@NullMarked
package dev.berth.driver.baremetal.object;

import org.jspecify.annotations.NullMarked;
