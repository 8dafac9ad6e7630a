/// Passes over the drives of a node, and who the node is. Start at [Discovery].
@NullMarked
package dev.berth.driver.baremetal.discovery;

import org.jspecify.annotations.NullMarked;
