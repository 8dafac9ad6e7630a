/// What an operator does with drives (BM-211): sees them, keeps volumes off them, takes them into
/// service and replaces them. Start at [Rack].
///
/// All of it is annotations and labels of the drives' objects, which anybody may set by hand.
@NullMarked
package dev.berth.cli.drives;

import org.jspecify.annotations.NullMarked;
