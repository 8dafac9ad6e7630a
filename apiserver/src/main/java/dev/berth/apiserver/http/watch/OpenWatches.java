package dev.berth.apiserver.http.watch;

import dev.berth.apiserver.http.exchange.TransportRefusals;
import dev.berth.apiserver.rights.User;
import dev.berth.apiserver.rights.fair.Seats;
import java.time.Duration;

/// How many watches are open, and whose (API-135): each may hold what its client has not read yet,
/// a window's worth of it. Nobody waits for one.
final class OpenWatches {
  private final Limits limits;
  private final Seats all;
  private final Seats others;

  /// @param all so many windows of 64 KiB that nobody reads fit into half of the process's memory
  /// @param others of all who are not of the system, which has the rest for itself
  /// @param each of one of these
  record Limits(int all, int others, int each) {
    static final Limits DEFAULT = new Limits(2_000, 1_500, 1_000);
  }

  OpenWatches(Limits limits) {
    this.limits = limits;
    this.all = new Seats(new Seats.Limits(limits.all(), limits.all(), 0, 0));
    this.others = new Seats(new Seats.Limits(limits.others(), limits.each(), 0, 0));
  }

  /// Counts one more, until it is closed.
  ///
  /// @return to be run once when the watch ends
  /// @throws dev.berth.apiserver.core.message.RefusedException there are too many
  Runnable open(User user) throws InterruptedException {
    var name = user.purse();
    boolean system = user.isSystem();
    if (!system && !others.take(name, Duration.ZERO)) throw tooMany(limits.each(), limits.others());
    if (all.take(name, Duration.ZERO))
      return () -> {
        all.leave(name);
        if (!system) others.leave(name);
      };
    if (!system) others.leave(name);
    throw TransportRefusals.tooManyRequests(
        "%d watches are open, which is the most; end some, and try again".formatted(limits.all()));
  }

  private static RuntimeException tooMany(int each, int others) {
    return TransportRefusals.tooManyRequests(
        "too many watches are open: a user may have %d, all users together %d; end some, and try again"
            .formatted(each, others));
  }
}
