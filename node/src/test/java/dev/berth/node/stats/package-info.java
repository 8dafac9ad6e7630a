@NullMarked
package dev.berth.node.stats;

import org.jspecify.annotations.NullMarked;
