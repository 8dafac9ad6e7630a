/// Backing files: how they are copied, measured and given up. Start at [Images].
@NullMarked
package dev.berth.driver.disk.image;

import org.jspecify.annotations.NullMarked;
