/// The command lines of upstream's sidecars, unchanged: their flags in the way of Go's `flag`
/// package (ONE-10). Start at [CommandLines].
@NullMarked
package dev.berth.cli.flags;

import org.jspecify.annotations.NullMarked;
