/// What the SDK does around a driver, mostly through real gRPC on a real socket.
@NullMarked
package dev.berth.driver.serve;

import org.jspecify.annotations.NullMarked;
