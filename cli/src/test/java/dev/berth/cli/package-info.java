/// The command as a user meets it: a process, its output, its exit code, and what it leaves behind.
@NullMarked
package dev.berth.cli;

import org.jspecify.annotations.NullMarked;
