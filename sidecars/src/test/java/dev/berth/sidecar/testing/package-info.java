/// Worlds of objects, and a driver, for the tests of all sidecars.
@NullMarked
package dev.berth.sidecar.testing;

import org.jspecify.annotations.NullMarked;
