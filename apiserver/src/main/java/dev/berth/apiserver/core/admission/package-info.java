/// What a write must pass, or is given, because of other objects (spec/apiserver.md, section 12),
/// in upstream's order. Pure, and on the writer's way: each looks at what its object names and no
/// further. Start at [Admission].
///
/// Never: calls anybody (`AbsencesArchitectureTest`).
@NullMarked
package dev.berth.apiserver.core.admission;

import org.jspecify.annotations.NullMarked;
