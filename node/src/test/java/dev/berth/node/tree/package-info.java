@NullMarked
package dev.berth.node.tree;

import org.jspecify.annotations.NullMarked;
