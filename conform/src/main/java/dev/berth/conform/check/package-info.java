/// What a check is and what comes of it.
///
/// Always: a check has an id that stays, the rule of the specification that it comes from, and a
/// remedy (`DocumentTest`).
@NullMarked
package dev.berth.conform.check;

import org.jspecify.annotations.NullMarked;
