package dev.berth.kube.http;

import java.time.Duration;

/// How long a server may say nothing.
///
/// @param answer to a request, or between two parts of its answer
/// @param watch to a watch of which it is known that bookmarks come, once a minute as a rule
record Limits(Duration answer, Duration watch) {
  static final Limits DEFAULT = new Limits(Duration.ofSeconds(30), Duration.ofMinutes(3));

  /// Of somebody to whom an answer is of no use after that.
  Limits within(Duration limit) {
    return new Limits(limit.compareTo(answer) < 0 ? limit : answer, watch);
  }

  /// After how long of a client's silence it is looked whether its connection is dead.
  Duration doubt() {
    return answer.dividedBy(3);
  }
}
