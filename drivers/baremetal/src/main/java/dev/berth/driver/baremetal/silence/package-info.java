/// Nodes that do not answer (BM-170): what a controller says of their drives until they speak
/// again. Start at [SilenceKeeper].
@NullMarked
package dev.berth.driver.baremetal.silence;

import org.jspecify.annotations.NullMarked;
