/// Containers of an engine that speaks the Container Runtime Interface over a Unix socket:
/// containerd, CRI-O. Start at [CriRuntime].
///
/// Always: what exists is read from the engine, by the labels that a kubelet gives, so that the
/// next process of the agent finds the containers of the one before it, running (`CriRuntimeTest`).
/// Never: a container of another agent is touched that uses the same engine (`CriRuntimeTest`); a
/// password of a registry is in a log or in the words of an error (`PullsTest`).
@NullMarked
package dev.berth.node.runtime.cri;

import org.jspecify.annotations.NullMarked;
