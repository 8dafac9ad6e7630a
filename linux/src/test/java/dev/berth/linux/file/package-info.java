@NullMarked
package dev.berth.linux.file;

import org.jspecify.annotations.NullMarked;
