/// Which fields Kubernetes' objects have and of what type, from one table (`kubernetes.txt`). Start
/// at [Schemas].
///
/// Always: what comes in over the network is of these types before the state machine sees it
/// (`ConformanceTest`). Never: whether a value makes sense; that is `core`'s to say
/// (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.apiserver.schema;

import org.jspecify.annotations.NullMarked;
