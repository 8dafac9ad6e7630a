/// One class a command: what it takes, what it prints, which exit code it ends with.
@NullMarked
package dev.berth.cli.command;

import org.jspecify.annotations.NullMarked;
