/// The node agent as a process of its own, in a kubelet's place, by the kubelet's command line.
/// Start at [NodeProcess].
///
/// Always: two agents never work below one root (`NodeProcessTest`). Never: a stop ends a container
/// or unmounts a volume (`NodeProcessTest`).
@NullMarked
package dev.berth.cli.nodeagent;

import org.jspecify.annotations.NullMarked;
