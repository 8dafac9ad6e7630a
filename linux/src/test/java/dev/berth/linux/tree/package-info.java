@NullMarked
package dev.berth.linux.tree;

import org.jspecify.annotations.NullMarked;
