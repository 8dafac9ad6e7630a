/// How mounted file systems are, as far as the kernel says so: for every driver's author. Start at
/// [MountedCheck].
@NullMarked
package dev.berth.linux.check;

import org.jspecify.annotations.NullMarked;
