/// What the watches have shown, as one consistent snapshot that also shows this process's own
/// writes.
@NullMarked
package dev.berth.kube.cache;

import org.jspecify.annotations.NullMarked;
