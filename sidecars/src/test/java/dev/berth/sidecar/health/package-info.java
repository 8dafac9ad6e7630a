@NullMarked
package dev.berth.sidecar.health;

import org.jspecify.annotations.NullMarked;
