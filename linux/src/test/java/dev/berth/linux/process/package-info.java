@NullMarked
package dev.berth.linux.process;

import org.jspecify.annotations.NullMarked;
