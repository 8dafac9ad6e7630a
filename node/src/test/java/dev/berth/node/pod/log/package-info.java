@NullMarked
package dev.berth.node.pod.log;

import org.jspecify.annotations.NullMarked;
