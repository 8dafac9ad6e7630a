/// What the author of a driver implements (docs/write-a-driver.md). Start at [Driver].
///
/// Each interface is a capability: what a driver implements is what it advertises, on every
/// service, and the SDK answers UNIMPLEMENTED for the rest.
///
/// A driver is called with checked arguments, for one volume at a time, on a virtual thread that
/// may block. It may be called again for what it has already done, and after a crash at any
/// instruction. It throws [dev.berth.driver.model.Refusal]; any other exception, an `IOException`
/// too, is taken as "it may have happened" and the caller is told to ask again.
///
/// Never: a method that has to remember something in memory between two calls.
@NullMarked
package dev.berth.driver.spi;

import org.jspecify.annotations.NullMarked;
