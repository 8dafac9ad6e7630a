/// What a command does with a running server: connect, name, apply, wait, follow. Start at
/// [Session].
@NullMarked
package dev.berth.cli.session;

import org.jspecify.annotations.NullMarked;
