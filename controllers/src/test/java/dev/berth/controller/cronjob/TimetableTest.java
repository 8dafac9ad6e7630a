package dev.berth.controller.cronjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimetableTest {
  /// `next` is the first after `now`, and the last one before it is `last`.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Each minute, on the minute.
        "* * * * *| UTC| 2026-01-01T00:10:20Z| 2026-01-01T00:10:00Z| 2026-01-01T00:11:00Z",
        "*/20 1-2 * * *| UTC| 2026-01-01T02:41:00Z| 2026-01-01T02:40:00Z| 2026-01-02T01:00:00Z",
        "5/20 * * * *| UTC| 2026-01-01T00:46:00Z| 2026-01-01T00:45:00Z| 2026-01-01T01:05:00Z",
        "0 9 * * mon-fri| UTC| 2026-01-03T00:00:00Z| 2026-01-02T09:00:00Z| 2026-01-05T09:00:00Z",
        // Days of the month or of the week: either is enough, if both are chosen.
        "0 0 13 * fri| UTC| 2026-02-07T00:00:00Z| 2026-02-06T00:00:00Z| 2026-02-13T00:00:00Z",
        "0 0 31 JAN,mar *| UTC| 2026-02-01T00:00:00Z| 2026-01-31T00:00:00Z| 2026-03-31T00:00:00Z",
        "0 0 29 2 *| UTC| 2026-01-01T00:00:00Z| 2024-02-29T00:00:00Z| 2028-02-29T00:00:00Z",
        "@weekly| UTC| 2026-01-01T00:00:00Z| 2025-12-28T00:00:00Z| 2026-01-04T00:00:00Z",
        "@yearly| UTC| 2026-06-01T00:00:00Z| 2026-01-01T00:00:00Z| 2027-01-01T00:00:00Z",
        "0 8 * * *| Asia/Tokyo| 2026-01-01T00:00:00Z| 2025-12-31T23:00:00Z| 2026-01-01T23:00:00Z",
        // The clocks leave it out on the 29th of March.
        "30 2 * * *| Europe/Berlin| 2026-03-29T00:00:00Z| 2026-03-28T01:30:00Z|"
            + " 2026-03-30T00:30:00Z",
        // They show it twice on the 25th of October.
        "30 2 * * *| Europe/Berlin| 2026-10-25T01:00:00Z| 2026-10-25T00:30:00Z|"
            + " 2026-10-26T01:30:00Z",
      })
  void itsTimesAreThoseOfTheCalendar(
      String schedule, String zone, Instant now, Instant last, Instant next) {
    var times = Timetable.of(schedule, ZoneId.of(zone));
    var longAgo = Instant.parse("2020-01-01T00:00:00Z");
    assertThat(times.next(longAgo, now)).contains(next);
    assertThat(times.last(longAgo, now)).contains(last);
    assertThat(times.last(last, now)).as("it is told once").isEmpty();
  }

  @Test
  void aSpanCountsFromTheLastOne() {
    var times = Timetable.of("@every 1m30s", ZoneId.of("UTC"));
    var began = Instant.parse("2026-01-01T00:00:10Z");
    assertThat(times.last(began, began.plusSeconds(89))).isEmpty();
    assertThat(times.last(began, began.plusSeconds(200))).contains(began.plusSeconds(180));
    assertThat(times.next(began, began.plusSeconds(200))).contains(began.plusSeconds(270));
  }

  @Test
  void aDayThatThereIsNotDoesNotCome() {
    var times = Timetable.of("0 0 31 2 *", ZoneId.of("UTC"));
    assertThat(times.next(Instant.EPOCH, Instant.parse("2026-01-01T00:00:00Z"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"* * * *", "60 * * * *", "* * 0 * *", "5-1 * * * *", "*/0 * * * *", "x * * * *"})
  void whatIsNoneIsRefused(String schedule) {
    assertThatThrownBy(() -> Timetable.of(schedule, ZoneId.of("UTC")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
