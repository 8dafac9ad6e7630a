/// Runs the containers of pods: start, list, stop, remove, and word at once when one ends (NRUN-02
/// to NRUN-14, as far as they are about containers). Here is what all runtimes have in common: the
/// seam, [ContainerRuntime], and what is said over it; `host` and `cri` are the two behind it.
///
/// Never: a decision about pods (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.node.runtime;

import org.jspecify.annotations.NullMarked;
