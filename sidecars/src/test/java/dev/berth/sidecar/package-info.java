@NullMarked
package dev.berth.sidecar;

import org.jspecify.annotations.NullMarked;
