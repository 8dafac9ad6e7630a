@NullMarked
package dev.berth.node.volume.state;

import org.jspecify.annotations.NullMarked;
