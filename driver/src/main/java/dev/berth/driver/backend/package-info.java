/// Pieces for drivers whose storage is behind somebody's API.
@NullMarked
package dev.berth.driver.backend;

import org.jspecify.annotations.NullMarked;
