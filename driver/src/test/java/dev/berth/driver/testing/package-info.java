/// A driver in memory and a client of it, for tests of what the SDK does around a driver.
@NullMarked
package dev.berth.driver.testing;

import org.jspecify.annotations.NullMarked;
