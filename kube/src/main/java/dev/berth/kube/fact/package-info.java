/// Facts that are no objects of Kubernetes: what a node knows of its mounts, which drivers have
/// registered, what a table says; each source tells a topic, and a change of it becomes keys.
///
/// Always: whoever decides reads one snapshot of the facts, and of those only what its triggers
/// name (`LoopTest`).
@NullMarked
package dev.berth.kube.fact;

import org.jspecify.annotations.NullMarked;
