package dev.berth.kube.http;

import java.time.Duration;
import java.util.Optional;

/// How long a server may say nothing.
///
/// @param answer to a request, or between two parts of its answer
/// @param watch to a watch of which it is known that bookmarks come, once a minute as a rule
/// @param whole how long a request may take, whatever comes meanwhile; empty: any time
record Limits(Duration answer, Duration watch, Optional<Duration> whole) {
  static final Limits DEFAULT = new Limits(Duration.ofSeconds(30), Duration.ofMinutes(3));

  Limits(Duration answer, Duration watch) {
    this(answer, watch, Optional.empty());
  }

  /// Of somebody to whom an answer is of no use after that.
  Limits within(Duration limit) {
    return new Limits(Patience.min(limit, answer), watch, Optional.of(limit));
  }

  /// Whether whoever asks has a use for another answer, after one that did not come.
  boolean isHasty() {
    return whole.isPresent();
  }

  /// After how long of a client's silence it is looked whether its connection is dead.
  Duration doubt() {
    return answer.dividedBy(3);
  }
}
