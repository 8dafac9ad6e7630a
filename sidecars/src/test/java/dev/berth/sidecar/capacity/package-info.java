@NullMarked
package dev.berth.sidecar.capacity;

import org.jspecify.annotations.NullMarked;
