/// The example driver through its socket, on real mounts.
@NullMarked
package dev.berth.example;

import org.jspecify.annotations.NullMarked;
