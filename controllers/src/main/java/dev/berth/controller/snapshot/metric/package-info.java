/// How long snapshots and groups of them take, under upstream's names (SNAP-92, SNAP-93), and how
/// many wait or are nobody's (SNAP-94, SNAP-A4): watchers that decide and write nothing. Start at
/// [SnapshotOperations] and [SnapshotCounts].
@NullMarked
package dev.berth.controller.snapshot.metric;

import org.jspecify.annotations.NullMarked;
