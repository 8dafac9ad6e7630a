/// What a path is, how full its file system is, and the few things about files that java.nio cannot
/// do: reserve and punch, freeze, open beneath a root, rename onto nothing.
///
/// Never: follows a link in a path that somebody else gave ([Beneath], `RootedTest`); waits for
/// ever on a dead mount (`BlockingTest`).
@NullMarked
package dev.berth.linux.file;

import org.jspecify.annotations.NullMarked;
