@NullMarked
package dev.berth.node;

import org.jspecify.annotations.NullMarked;
