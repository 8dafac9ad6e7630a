/// Which volumes the pods of a node need, found over their claims, and for whom a volume is needed.
/// Start at [Needs].
///
/// Always: what cannot be told yet is a wait that a person can act on (`NeedsTest`). Never:
/// anything but objects of the API is looked at (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.node.volume.need;

import org.jspecify.annotations.NullMarked;
