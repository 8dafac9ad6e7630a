@NullMarked
package dev.berth.driver.backend;

import org.jspecify.annotations.NullMarked;
