/// The kernel's door: system calls by number through the FFM API, their errors, and the platform
/// threads on which they may block. Inner room of `dev.berth.linux`; other modules catch
/// [LinuxException] from here and call nothing else.
///
/// Always: a call that can block runs through [Blocking], so no virtual thread pins its carrier and
/// no caller waits for ever (`BlockingTest`); descriptors are close-on-exec and have one owner
/// ([Descriptor]). Never: a fork, a C compiler, a native library of ours
/// (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.linux.sys;

import org.jspecify.annotations.NullMarked;
