/// Figures of a stack, seen through its API by a client in a process of its own.
@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;
