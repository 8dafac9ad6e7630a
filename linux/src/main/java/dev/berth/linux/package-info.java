/// What this machine must offer. Start at [Machine]; the other rooms of the module are `mount`,
/// `loop`, `file`, `tree`, `tool`, `namespace`, `process` and `launch`.
@NullMarked
package dev.berth.linux;

import org.jspecify.annotations.NullMarked;
