/// Writes to Kubernetes that take for granted how an object stands.
@NullMarked
package dev.berth.sidecar.write;

import org.jspecify.annotations.NullMarked;
