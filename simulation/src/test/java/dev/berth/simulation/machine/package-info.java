/// The machines that nodes run on: what stays when an agent dies. Start at [Machine].
@NullMarked
package dev.berth.simulation.machine;

import org.jspecify.annotations.NullMarked;
