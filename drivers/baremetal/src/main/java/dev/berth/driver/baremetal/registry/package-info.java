/// Writes to the objects of drives and volumes, each by compare-and-set. Start at [Registry].
@NullMarked
package dev.berth.driver.baremetal.registry;

import org.jspecify.annotations.NullMarked;
