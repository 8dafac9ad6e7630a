@NullMarked
package dev.berth.linux.mount;

import org.jspecify.annotations.NullMarked;
