/// The external programs that cannot sanely be replaced: making, checking, recognising and growing
/// file systems. Start at [FileSystemTools].
///
/// Always: an argument list and no shell, `LC_ALL=C`, a deadline, bounded output, exit code and
/// words of the program in the error (SYS-31, `FileSystemToolsTest`). Never: formats a device that
/// already holds something, unless the caller says so in type (`FileSystemToolsTest`).
@NullMarked
package dev.berth.linux.tool;

import org.jspecify.annotations.NullMarked;
