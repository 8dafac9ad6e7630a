@NullMarked
package dev.berth.node.pod.disk;

import org.jspecify.annotations.NullMarked;
