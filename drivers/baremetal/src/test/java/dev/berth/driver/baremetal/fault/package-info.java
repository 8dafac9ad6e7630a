/// Drives that fail when a test says so. Start at [FaultyFolder].
@NullMarked
package dev.berth.driver.baremetal.fault;

import org.jspecify.annotations.NullMarked;
