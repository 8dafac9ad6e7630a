@NullMarked
package dev.berth.linux.tool;

import org.jspecify.annotations.NullMarked;
