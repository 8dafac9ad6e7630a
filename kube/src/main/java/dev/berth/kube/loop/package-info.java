/// Decide, act, wait: the one shape of every controller, sidecar and of the node agent.
///
/// Always: one effect at a time for each key; a decision is made on a snapshot that shows every
/// write that this process has made before (`LoopTest`, `LoopOnThreadsTest`). Never: state that
/// only the loop knows and that a restart would miss (`SimulationTest`).
@NullMarked
package dev.berth.kube.loop;

import org.jspecify.annotations.NullMarked;
