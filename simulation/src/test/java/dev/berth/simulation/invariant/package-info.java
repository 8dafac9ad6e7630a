/// What must hold, whatever happens. Start at [Invariant]; the list of all is [Invariants].
@NullMarked
package dev.berth.simulation.invariant;

import org.jspecify.annotations.NullMarked;
