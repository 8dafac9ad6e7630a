/// How long snapshots and groups of them take, under upstream's names (SNAP-92, SNAP-93): a watcher
/// that decides and writes nothing. Start at [SnapshotOperations].
@NullMarked
package dev.berth.controller.snapshot.metric;

import org.jspecify.annotations.NullMarked;
