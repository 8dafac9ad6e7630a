/// The parts of an object that is being checked, and what is wrong with them in upstream's words
/// (API-29, API-47). Start at [Field]. What is special about one kind is `core.kind`'s.
@NullMarked
package dev.berth.apiserver.core.field;

import org.jspecify.annotations.NullMarked;
