/// Says of claims that ask for more than they have that somebody else makes their volumes larger
/// (spec/resizer.md, RSZ-77). Start at [Expansion].
///
/// Never: writes to a claim or a volume (`ExpansionTest`).
@NullMarked
package dev.berth.controller.expansion;

import org.jspecify.annotations.NullMarked;
