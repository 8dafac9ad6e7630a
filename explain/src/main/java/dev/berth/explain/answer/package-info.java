/// What explain answers: the chain of waits with state ids, what could not be read, what was told
/// in events; and its two forms, text and JSON. Start at [Explanation].
@NullMarked
package dev.berth.explain.answer;

import org.jspecify.annotations.NullMarked;
