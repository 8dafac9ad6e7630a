/// What the simulation is worth: mistakes that it must find, each a file in `simulation/mutations`,
/// are made in our sources as they are and looked for by seeds that found them. Start at
/// [MutationsTest].
@NullMarked
package dev.berth.simulation.mutation;

import org.jspecify.annotations.NullMarked;
