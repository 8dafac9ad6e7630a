/// Makes the volumes of one driver as large as their claims ask, and finds out of a size that
/// cannot be had (spec/resizer.md, KEP-1790). Start at [Resizer].
///
/// Always: what is asked of the driver stands in the claim's status first, and with it whether the
/// outcome is known; a restart changes no decision (`ResizerTest`). Never: a size is asked for that
/// is below one whose outcome is not known (`WantedSizeTest`).
///
/// Absent on purpose: a memory of failed, slow or used claims; the conditions say all of it.
@NullMarked
package dev.berth.sidecar.resizer;

import org.jspecify.annotations.NullMarked;
