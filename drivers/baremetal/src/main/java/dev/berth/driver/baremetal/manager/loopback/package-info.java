/// Drives that are files on loop devices, told by a configuration file: for tests and for trying
/// out (BM-58). Start at [LoopbackManager].
@NullMarked
package dev.berth.driver.baremetal.manager.loopback;

import org.jspecify.annotations.NullMarked;
