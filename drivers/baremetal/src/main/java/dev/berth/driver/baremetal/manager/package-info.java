/// Finds the drives of a node. Start at [DriveManager]: one interface, a back end each in a package
/// below.
@NullMarked
package dev.berth.driver.baremetal.manager;

import org.jspecify.annotations.NullMarked;
