@NullMarked
package dev.berth.linux.namespace;

import org.jspecify.annotations.NullMarked;
