@NullMarked
package dev.berth.cli.nodeagent;

import org.jspecify.annotations.NullMarked;
