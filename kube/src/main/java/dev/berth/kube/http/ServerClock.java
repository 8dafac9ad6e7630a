package dev.berth.kube.http;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/// How far our clock is from the server's, by the dates of its answers, which say whole seconds:
/// zero, unless ours is certainly wrong. Safe for threads.
final class ServerClock {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private volatile Optional<Duration> ahead = Optional.empty(); // empty: it has said no date

  /// @param asked when the request left by our clock
  /// @param answered when its answer was there
  void hear(HttpHeaders answer, Instant asked, Instant answered) {
    date(answer).ifPresent(date -> ahead = Optional.of(ahead(date, asked, answered)));
  }

  boolean isKnown() {
    return ahead.isPresent();
  }

  /// What the server's clock says when ours says `here`.
  Instant at(Instant here) {
    return here.plus(ahead.orElse(Duration.ZERO));
  }

  /// It was a moment between asking and answering when the server's clock showed that second.
  private static Duration ahead(Instant date, Instant asked, Instant answered) {
    var least = Duration.between(answered, date);
    var most = Duration.between(asked, date.plus(SECOND));
    if (least.isPositive()) return least;
    return most.isNegative() ? most : Duration.ZERO;
  }

  private static Optional<Instant> date(HttpHeaders answer) {
    try {
      return answer
          .firstValue("Date")
          .map(text -> ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException unreadable) {
      return Optional.empty();
    }
  }
}
