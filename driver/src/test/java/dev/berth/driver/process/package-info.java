/// A driver's process: real sockets, real HTTP, and a node agent's client.
@NullMarked
package dev.berth.driver.process;

import org.jspecify.annotations.NullMarked;
