@NullMarked
package dev.berth.node.volume.disk;

import org.jspecify.annotations.NullMarked;
