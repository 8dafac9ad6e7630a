@NullMarked
package dev.berth.linux.launch;

import org.jspecify.annotations.NullMarked;
