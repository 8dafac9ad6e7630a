@NullMarked
package dev.berth.cli.nodeserver;

import org.jspecify.annotations.NullMarked;
