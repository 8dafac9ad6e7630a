/// What this machine must offer. Start at [Machine]; the other rooms of the module are `mount`,
/// `loop`, `file`, `tree`, `tool`, `namespace`, `process`, `launch` and `cgroup`.
@NullMarked
package dev.berth.linux;

import org.jspecify.annotations.NullMarked;
