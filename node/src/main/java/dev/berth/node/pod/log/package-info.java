/// What containers have written, where the kubelet's layout has it (NRUN-14), and how it is read.
/// Start at [ContainerLogs].
@NullMarked
package dev.berth.node.pod.log;

import org.jspecify.annotations.NullMarked;
