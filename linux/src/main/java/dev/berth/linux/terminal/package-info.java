/// Terminals that no hardware stands behind: one end for a program that wants to talk with a
/// person, the other for whoever carries the words. Start at [PseudoTerminal].
///
/// One thread of its own for each waits in the kernel: whoever reads and writes may be on a virtual
/// one.
@NullMarked
package dev.berth.linux.terminal;

import org.jspecify.annotations.NullMarked;
