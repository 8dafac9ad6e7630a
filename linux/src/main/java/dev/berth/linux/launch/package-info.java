/// Processes that begin with nothing but system calls: no dynamic loader, no shell, no file that is
/// read on the way. Start at [LaunchProgram], the list of calls; [Launcher] is the program that
/// makes them.
///
/// Always: what is to be done is laid down before the process starts, so nothing that it meets can
/// change it (`LaunchProgramTest`). Never: memory that can be both written and run
/// (`LaunchProgramTest`).
@NullMarked
package dev.berth.linux.launch;

import org.jspecify.annotations.NullMarked;
