/// Takes pods off nodes that have a taint with the effect `NoExecute` which they do not tolerate,
/// or no longer (spec/control-plane.md, PGC-02). Start at [TaintEviction].
///
/// Always: a pod has the whole time that it tolerates a taint (`EvictionDecisionTest`). Never:
/// removes a pod by force (`TaintEvictionTest`).
@NullMarked
package dev.berth.controller.eviction;

import org.jspecify.annotations.NullMarked;
