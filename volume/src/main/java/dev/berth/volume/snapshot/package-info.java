/// What a snapshot class says to its driver and which Secrets it names, and words that snapshots'
/// users read, for the snapshot controller and for the sidecar that never look at each other's
/// objects (spec/snapshotter.md, section 2). Start at [ClassSecrets].
@NullMarked
package dev.berth.volume.snapshot;

import org.jspecify.annotations.NullMarked;
