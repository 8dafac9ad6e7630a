@NullMarked
package dev.berth.node.pod.probe;

import org.jspecify.annotations.NullMarked;
