@NullMarked
package dev.berth.node.pod.start;

import org.jspecify.annotations.NullMarked;
