/// Virtual time: whole processes run in it, one piece at a time, in an order that a seed decides.
@NullMarked
package dev.berth.simulation.time;

import org.jspecify.annotations.NullMarked;
