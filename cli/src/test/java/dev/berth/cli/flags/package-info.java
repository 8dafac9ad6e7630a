@NullMarked
package dev.berth.cli.flags;

import org.jspecify.annotations.NullMarked;
