package dev.berth.driver.baremetal.object;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// That a drive is kept for a volume which is to be made for the same pod as another one that has a
/// drive of this node already (BM-94). It ends by itself: nobody has to take it back.
///
/// @param volume its id
/// @param until from when on anybody may have the drive
public record Reservation(String volume, Instant until) {
  /// So long its companions have time to be asked for, which is at once as a rule.
  public static final Duration KEPT = Duration.ofMinutes(2);

  /// What [#write] has written; empty: it is none.
  static Optional<Reservation> read(String text) {
    int at = text.lastIndexOf(' ');
    try {
      return at <= 0
          ? Optional.empty()
          : Optional.of(
              new Reservation(text.substring(0, at), Instant.parse(text.substring(at + 1))));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  /// One that ends later than any that is written now is believed by nobody: a clock was wrong, or
  /// a person has written it. Clocks may differ by as much as it lasts.
  boolean holds(Instant now) {
    return now.isBefore(until) && until.isBefore(now.plus(KEPT.multipliedBy(2)));
  }

  public String write() {
    return volume + ' ' + until;
  }
}
