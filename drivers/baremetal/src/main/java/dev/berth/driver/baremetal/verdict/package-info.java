/// How a volume is, from what is known of it and its drive. Start at [VolumeVerdict].
@NullMarked
package dev.berth.driver.baremetal.verdict;

import org.jspecify.annotations.NullMarked;
