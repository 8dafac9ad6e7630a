@NullMarked
package dev.berth.sidecar.snapshotter;

import org.jspecify.annotations.NullMarked;
