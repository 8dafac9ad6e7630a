/// What a new volume is filled from: a snapshot, or another claim's volume (spec/provisioner.md,
/// section 6). Start at [Source].
///
/// Always: a source carries a finalizer before the driver hears of it (`DataSourcesTest`). A
/// snapshot is read when it is needed: upstream's rights let nobody watch a snapshot's content.
@NullMarked
package dev.berth.sidecar.source;

import org.jspecify.annotations.NullMarked;
