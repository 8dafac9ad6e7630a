@NullMarked
package dev.berth.node.volume;

import org.jspecify.annotations.NullMarked;
