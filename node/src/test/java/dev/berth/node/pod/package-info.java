@NullMarked
package dev.berth.node.pod;

import org.jspecify.annotations.NullMarked;
