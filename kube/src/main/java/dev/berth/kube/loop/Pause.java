package dev.berth.kube.loop;

import java.time.Duration;
import java.util.Optional;

/// Why effects of one likeness are not carried out for one key just now: the last one failed, or
/// lost a race. Its moments are [dev.berth.kube.time.Time#elapsed]: whoever sets the clock neither
/// prolongs a pause nor ends it.
///
/// @param failures how often they failed in a row, whatever races they lost in between
/// @param losses how many races they have lost since the last failure
/// @param trouble what went wrong last
/// @param began when it did
/// @param soon when another effect of this likeness may be tried, as something has changed
/// @param ends when the same effect may be tried again, though nothing changes
/// @param effect which effect that is; empty: it lost a race, and whichever is wanted now is tried;
///   or a decision failed to come to any
/// @param settling whether the next effect of this likeness is still the one that failed, as it
///   looks after what the failure itself has changed
record Pause(
    int failures,
    int losses,
    String trouble,
    Duration began,
    Duration soon,
    Duration ends,
    Optional<Effect> effect,
    boolean settling) {

  Pause settled() {
    return new Pause(failures, losses, trouble, began, soon, ends, effect, false);
  }

  Pause settledAs(Effect same) {
    return new Pause(failures, losses, trouble, began, soon, ends, Optional.of(same), false);
  }

  /// How often it went wrong in a row.
  int inARow() {
    return failures + losses;
  }

  /// Whether it is to be remembered though nothing is wanted: a race that nobody runs is over.
  boolean lasts(Duration now) {
    return now.compareTo(losses > 0 ? soon : ends) < 0;
  }

  /// When `wanted`, which is of this likeness, may be carried out.
  Duration due(Effect wanted) {
    return effect.filter(wanted::equals).isPresent() ? ends : soon;
  }
}
