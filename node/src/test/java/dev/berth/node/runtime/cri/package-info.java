@NullMarked
package dev.berth.node.runtime.cri;

import org.jspecify.annotations.NullMarked;
