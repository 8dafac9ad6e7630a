package dev.berth.kube.loop;

import dev.berth.kube.time.Backoff;
import java.time.Instant;
import java.util.Optional;

/// Why effects of one kind are not carried out for one key just now: the last one failed.
///
/// @param inARow how often they failed in a row
/// @param trouble why the last one failed
/// @param began when it did
/// @param ends when the same effect may be tried again
/// @param effect which effect that is; empty: it lost a race, and whichever is wanted now is tried
/// @param settling whether the next effect of this kind is still the one that failed, as it looks
///   after what the failure itself has changed
record Pause(
    int inARow,
    String trouble,
    Instant began,
    Instant ends,
    Optional<Effect> effect,
    boolean settling) {

  Pause settled() {
    return new Pause(inARow, trouble, began, ends, effect, false);
  }

  Pause settledAs(Effect same) {
    return new Pause(inARow, trouble, began, ends, Optional.of(same), false);
  }

  boolean lasts(Instant now) {
    return now.isBefore(ends);
  }

  /// When `wanted`, which is of this kind, may be carried out. Something changed if it is not the
  /// very same effect: then the shortest pause is enough. Who lost one race has seen what the
  /// winner wrote and need not wait; who loses again and again is up against somebody who writes
  /// faster than he looks.
  Instant due(Effect wanted, Backoff retry) {
    if (effect.isEmpty()) return inARow == 1 ? Instant.MIN : ends;
    if (effect.get().equals(wanted)) return ends;
    var soon = began.plus(retry.start());
    return soon.isBefore(ends) ? soon : ends;
  }
}
