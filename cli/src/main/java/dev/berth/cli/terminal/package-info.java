/// How the command speaks to people: columns, colour on a terminal only, one line an error.
@NullMarked
package dev.berth.cli.terminal;

import org.jspecify.annotations.NullMarked;
