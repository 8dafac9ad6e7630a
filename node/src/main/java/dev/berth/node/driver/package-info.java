/// The drivers that serve this node now, ready to be called. Start at [Drivers]; on a real node
/// [Connections] fills it from plugin registration, in a simulation whoever plays the driver.
@NullMarked
package dev.berth.node.driver;

import org.jspecify.annotations.NullMarked;
