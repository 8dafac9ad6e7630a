package dev.berth.explain.answer;

import dev.berth.explain.answer.Explanation.Verdict;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.Optional;

/// What the last try of something came to, as the objects tell it.
///
/// @param message why it failed, in the words of whoever failed
/// @param on the object that says so
/// @param field path of the field that says so; of an event its reason
/// @param since when it failed first, where that is told
/// @param reported when an event told of it last; empty: a field says so now (XPL-01)
/// @param remedy what a person can do, as an imperative
/// @param verdict whether it may pass by itself
public record Failure(
    String message,
    Ref on,
    String field,
    Optional<Instant> since,
    Optional<Instant> reported,
    String remedy,
    Verdict verdict) {}
