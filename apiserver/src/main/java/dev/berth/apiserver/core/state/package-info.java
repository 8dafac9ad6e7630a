/// What is stored, at one moment and for good: the objects, their kinds, and the writes that lead
/// from one state to the next. Start at [State].
///
/// Always: a [State] is immutable, so a reader keeps one for as long as it likes and needs no lock
/// (`ReadingTest`). Whether a write is right is decided in `core`.
@NullMarked
package dev.berth.apiserver.core.state;

import org.jspecify.annotations.NullMarked;
