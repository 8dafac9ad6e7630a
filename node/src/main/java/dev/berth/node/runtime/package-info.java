/// Runs the containers of pods: start, list, stop, remove, and word at once when one ends (NRUN-02
/// to NRUN-14, as far as they are about containers). Start at [ContainerRuntime].
///
/// Always: what exists is read from files and from the kernel, so the next process of the agent
/// finds the containers of the one before it, running (`AdoptionTest`). Never: a mount that anybody
/// outside the container sees (`MountsInContainersTest`); a second container with one id
/// (`AdoptionTest`); a decision about pods.
@NullMarked
package dev.berth.node.runtime;

import org.jspecify.annotations.NullMarked;
