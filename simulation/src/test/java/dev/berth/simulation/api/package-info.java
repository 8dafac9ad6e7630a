/// The real API server on virtual time, and the unreliable way to it.
@NullMarked
package dev.berth.simulation.api;

import org.jspecify.annotations.NullMarked;
