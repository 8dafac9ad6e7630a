/// Threads in name spaces of their own, where mounts can be made that nobody else sees. Start at
/// [NamespaceThread].
///
/// Always: such a thread is a dedicated one and ends with its work (SYS-19); its mounts end with
/// the last process that entered its name space, so a crash leaks none (`NamespaceThreadTest`).
/// Never: a change of the name space that the rest of the process is in (`NamespaceThreadTest`).
@NullMarked
package dev.berth.linux.namespace;

import org.jspecify.annotations.NullMarked;
