/// The kinds of Kubernetes' snapshots, custom ones that a cluster may lack, and their vocabulary:
/// what a person asks for, what a storage system has, and by which class, for one volume and for
/// several at once (spec/snapshotter.md, sections 1 and 2). Start at [SnapshotKinds].
@NullMarked
package dev.berth.kube.snapshot;

import org.jspecify.annotations.NullMarked;
