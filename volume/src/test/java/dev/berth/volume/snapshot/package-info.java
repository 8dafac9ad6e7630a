@NullMarked
package dev.berth.volume.snapshot;

import org.jspecify.annotations.NullMarked;
