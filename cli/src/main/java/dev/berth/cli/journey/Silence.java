package dev.berth.cli.journey;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Since when nothing has been heard.
final class Silence {
  private final LongSupplier clock;
  private volatile long since;

  /// @param clock in nanoseconds, of any origin
  Silence(LongSupplier clock) {
    this.clock = clock;
    since = clock.getAsLong();
  }

  /// Something is heard: it begins anew.
  void broken() {
    since = clock.getAsLong();
  }

  /// How much longer it has to last until it is as long as `patience`; not positive: it is.
  Duration rest(Duration patience) {
    return patience.minusNanos(clock.getAsLong() - since);
  }
}
