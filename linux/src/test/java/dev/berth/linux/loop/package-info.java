@NullMarked
package dev.berth.linux.loop;

import org.jspecify.annotations.NullMarked;
