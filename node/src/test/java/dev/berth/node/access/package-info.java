@NullMarked
package dev.berth.node.access;

import org.jspecify.annotations.NullMarked;
