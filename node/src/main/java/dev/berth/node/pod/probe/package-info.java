/// Probes and lifecycle hooks of containers: one try of what a pod's author wants to be tried
/// (NRUN-09, NRUN-10). When it is due, and what follows, is decided elsewhere. Start at [Attempts].
///
/// Always: a try ends in its time, whatever the container does (`AttemptsTest`).
@NullMarked
package dev.berth.node.pod.probe;

import org.jspecify.annotations.NullMarked;
