@NullMarked
package dev.berth.volume;

import org.jspecify.annotations.NullMarked;
