/// What a simulation in one thread cannot show: the same code on real threads.
@NullMarked
package dev.berth.simulation.threads;

import org.jspecify.annotations.NullMarked;
