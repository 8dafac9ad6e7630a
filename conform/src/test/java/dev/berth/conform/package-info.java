@NullMarked
package dev.berth.conform;

import org.jspecify.annotations.NullMarked;
