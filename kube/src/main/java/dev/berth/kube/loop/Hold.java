package dev.berth.kube.loop;

import dev.berth.kube.time.Backoff;
import java.time.Instant;
import java.util.Optional;

/// Why effects of one kind are not carried out for one key just now: the last one failed.
///
/// @param inARow how often they failed in a row
/// @param trouble why the last one failed
/// @param failed when it did
/// @param ends when the same effect may be tried again
/// @param effect which effect that is; empty: it lost a race, so that any look may bring it back
/// @param settling whether the next effect of this kind is still the one that failed, as it looks
///   after what the failure itself has changed
record Hold(
    int inARow,
    String trouble,
    Instant failed,
    Instant ends,
    Optional<Effect> effect,
    boolean settling) {

  Hold settled() {
    return new Hold(inARow, trouble, failed, ends, effect, false);
  }

  Hold settledAs(Effect same) {
    return new Hold(inARow, trouble, failed, ends, Optional.of(same), false);
  }

  boolean pauses(Instant now) {
    return now.isBefore(ends);
  }

  /// When `wanted`, which is of this kind, may be carried out. Something changed if it is not the
  /// very same effect: then the shortest pause is enough.
  Instant due(Effect wanted, Backoff retry) {
    if (effect.isEmpty()) return Instant.MIN;
    if (effect.get().equals(wanted)) return ends;
    var soon = failed.plus(retry.start());
    return soon.isBefore(ends) ? soon : ends;
  }
}
