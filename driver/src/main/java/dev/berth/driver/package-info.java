/// A CSI driver from an author's methods (docs/write-a-driver.md): what every driver needs around
/// them, once.
///
/// An author implements [dev.berth.driver.spi.Driver] and starts a [DriverServer].
@NullMarked
package dev.berth.driver;

import org.jspecify.annotations.NullMarked;
