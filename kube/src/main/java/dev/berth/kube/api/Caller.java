package dev.berth.kube.api;

import java.time.Duration;
import java.util.Optional;

/// On whose behalf a server is asked ([Api#by]).
///
/// @param rate how often at most; empty: as often as there is something to ask
/// @param fence is run when a write has its turn, right before it leaves; throws to keep it back
/// @param limit how long an answer to a request is awaited; empty: as long as by default
public record Caller(
    Urgency urgency, Optional<Rate> rate, Runnable fence, Optional<Duration> limit) {
  public Caller(Urgency urgency, Optional<Rate> rate, Runnable fence) {
    this(urgency, rate, fence, Optional.empty());
  }

  /// Somebody to whom an answer is of no use after `limit`.
  public static Caller within(Duration limit) {
    return new Caller(Urgency.INTERACTIVE, Optional.empty(), () -> {}, Optional.of(limit));
  }

  /// Whose turn it is when many ask.
  public enum Urgency {
    /// Somebody waits for it: a volume, an attachment.
    INTERACTIVE,

    /// It is asked again and again, and told at leisure: health, room, events.
    POLLING
  }

  /// A token bucket, as client-go's.
  ///
  /// @param perSecond requests a second in the long run, above 0
  /// @param burst requests at once, at least 1
  public record Rate(double perSecond, int burst) {
    public Rate {
      if (!(perSecond > 0)) throw new IllegalArgumentException(perSecond + " requests a second");
      if (burst < 1) throw new IllegalArgumentException(burst + " requests at once");
    }
  }

  public Caller with(Urgency other) {
    return new Caller(other, rate, fence, limit);
  }

  public Caller at(Optional<Rate> other) {
    return new Caller(urgency, other, fence, limit);
  }
}
