package dev.berth.kube.http;

import dev.berth.kube.time.SystemTime;
import java.time.Duration;
import java.util.OptionalLong;

/// How long whoever asks waits for what comes of one request, however often it is sent. Not safe
/// for threads.
final class Patience {
  private final Limits limits;
  private OptionalLong begun = OptionalLong.empty(); // by SystemTime#nanos

  Patience(Limits limits) {
    this.limits = limits;
  }

  /// The request leaves: what it waited for its turn does not count.
  void begin() {
    if (begun.isEmpty()) begun = OptionalLong.of(SystemTime.nanos());
  }

  /// How much longer it may take; none or less: it is given up.
  Duration left() {
    return left(Duration.ZERO);
  }

  /// @param silence for how long nothing has come of it
  Duration left(Duration silence) {
    var quiet = limits.answer().minus(silence);
    return limits.whole().map(it -> min(it.minus(spent()), quiet)).orElse(quiet);
  }

  /// What was too long.
  Duration limit() {
    return limits.whole().filter(it -> spent().compareTo(it) >= 0).orElse(limits.answer());
  }

  private Duration spent() {
    return begun.isEmpty()
        ? Duration.ZERO
        : Duration.ofNanos(SystemTime.nanos() - begun.getAsLong());
  }

  static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
