@NullMarked
package dev.berth.sidecar.protection;

import org.jspecify.annotations.NullMarked;
