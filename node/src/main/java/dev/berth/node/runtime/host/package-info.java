/// The built-in runtime: containers from images of this machine, by the kernel's own means and
/// util-linux's tools. Start at [HostRuntime].
///
/// Always: what exists is read from files and from the kernel, so the next process of the agent
/// finds the containers of the one before it, running (`AdoptionTest`). Never: a mount that anybody
/// outside the container sees (`MountsInContainersTest`); a second container with one id
/// (`AdoptionTest`).
@NullMarked
package dev.berth.node.runtime.host;

import org.jspecify.annotations.NullMarked;
