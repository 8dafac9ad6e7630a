@NullMarked
package dev.berth.linux.sys;

import org.jspecify.annotations.NullMarked;
