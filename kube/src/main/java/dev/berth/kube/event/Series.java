package dev.berth.kube.event;

import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.util.Optional;

/// One thing that happened to one object, once or more often.
///
/// @param event the event that counts it so far; empty: it has not been written yet
/// @param count how often it happened
/// @param first when it happened first
/// @param last when it happened last
record Series(Optional<ObjectKey> event, int count, Instant first, Instant last) {
  static Series once(Instant now) {
    return new Series(Optional.empty(), 1, now, now);
  }

  Series again(Instant now) {
    return new Series(event, count + 1, first, now);
  }

  Series writtenAs(ObjectKey name) {
    return new Series(Optional.of(name), count, first, last);
  }
}
