/// The life of pods on this node: their containers in order, their status, their end (spec/node.md,
/// section 13). Start at [Pods].
///
/// Always: a container starts only after the pod has taken hold of its mounted volumes, and the pod
/// lets go only when nothing of it runs (NREC-07); a pod's object is deleted after its containers
/// have ended, its volumes are unpublished and its directories are gone (NRUN-16,
/// `PodDecisionTest`). Never: a container that runs is stopped or started again because the agent
/// was (NRUN-12, `NodeAgentTest`).
@NullMarked
package dev.berth.node.pod;

import org.jspecify.annotations.NullMarked;
