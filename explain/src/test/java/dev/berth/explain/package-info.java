@NullMarked
package dev.berth.explain;

import org.jspecify.annotations.NullMarked;
