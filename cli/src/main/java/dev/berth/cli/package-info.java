/// The `berth` command: wires the rooms together and nothing else. Start at [Main]; what one
/// process runs is in `stack`.
@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
