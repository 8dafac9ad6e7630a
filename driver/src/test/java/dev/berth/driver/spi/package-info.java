/// Rules that an author may lean on.
@NullMarked
package dev.berth.driver.spi;

import org.jspecify.annotations.NullMarked;
