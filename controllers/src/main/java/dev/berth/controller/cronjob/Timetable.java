package dev.berth.controller.cronjob;

import dev.berth.kube.value.GoDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The times of a CronJob, to the minute (to the second for `@every`).
sealed interface Timetable {
  /// The first one after `now`; empty: there is none in the next years.
  ///
  /// @param after the last one, or when they began
  Optional<Instant> next(Instant after, Instant now);

  /// The last one after `after` and not after `until`.
  Optional<Instant> last(Instant after, Instant until);

  /// @throws IllegalArgumentException if it is none
  static Timetable of(String schedule, ZoneId zone) {
    var text = schedule.strip();
    if (text.startsWith("@every ")) {
      var every = GoDuration.parse(text.substring("@every ".length()).strip()).orElseThrow();
      // Whole seconds, one at least.
      return new Interval(Duration.ofSeconds(Math.max(1, every.toSeconds())));
    }
    return Calendar.of(
        switch (text) {
          case "@yearly", "@annually" -> "0 0 1 1 *";
          case "@monthly" -> "0 0 1 * *";
          case "@weekly" -> "0 0 * * 0";
          case "@daily", "@midnight" -> "0 0 * * *";
          case "@hourly" -> "0 * * * *";
          case String other -> other;
        },
        zone);
  }

  /// Each time the same span after the one before.
  record Interval(Duration every) implements Timetable {
    @Override
    public Optional<Instant> next(Instant after, Instant now) {
      return Optional.of(last(after, now).orElse(after).plus(every));
    }

    @Override
    public Optional<Instant> last(Instant after, Instant until) {
      long times = Duration.between(after, until).dividedBy(every);
      return times < 1 ? Optional.empty() : Optional.of(after.plus(every.multipliedBy(times)));
    }
  }

  /// By the calendar of a time zone. Times that its clocks leave out do not come; of those that
  /// they show twice the first counts.
  ///
  /// @param anyDay whether days of the month are not chosen
  /// @param anyWeekday whether days of the week are not: if both are, either is enough
  record Calendar(
      ZoneId zone,
      NavigableSet<Integer> minutes,
      NavigableSet<Integer> hours,
      NavigableSet<Integer> days,
      NavigableSet<Integer> months,
      NavigableSet<Integer> weekdays,
      boolean anyDay,
      boolean anyWeekday)
      implements Timetable {
    private static final List<String> MONTHS =
        List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final List<String> WEEKDAYS =
        List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
    private static final int FIELDS = 5;

    /// The 29th of February may be eight years away.
    private static final int LONGEST = 8 * 366;

    static Calendar of(String schedule, ZoneId zone) {
      var fields = schedule.split("\\s+");
      if (fields.length != FIELDS)
        throw new IllegalArgumentException(
            "expected exactly 5 fields, found %d: %s".formatted(fields.length, schedule));
      return new Calendar(
          zone,
          numbers(fields[0], 0, 59, List.of()),
          numbers(fields[1], 0, 23, List.of()),
          numbers(fields[2], 1, 31, List.of()),
          numbers(fields[3], 1, 12, MONTHS),
          numbers(fields[4], 0, 6, WEEKDAYS),
          isAny(fields[2]),
          isAny(fields[4]));
    }

    private static boolean isAny(String field) {
      return field.startsWith("*") || field.startsWith("?");
    }

    private static NavigableSet<Integer> numbers(
        String field, int least, int most, List<String> names) {
      var numbers = new TreeSet<Integer>();
      for (var part : field.split(",", -1)) {
        var stepped = part.split("/", 2);
        int step = stepped.length == 2 ? number(stepped[1], List.of(), 0) : 1;
        var ends = stepped[0].split("-", 2);
        boolean all = isAny(ends[0]);
        int from = all ? least : number(ends[0], names, least);
        int to = ends.length == 2 ? number(ends[1], names, least) : from;
        // From there on, if there is a step.
        if (all || (ends.length == 1 && stepped.length == 2)) to = most;
        if (from < least || to > most || from > to || step < 1)
          throw new IllegalArgumentException("not from %d to %d: %s".formatted(least, most, part));
        for (int number = from; number <= to; number += step) numbers.add(number);
      }
      return numbers;
    }

    private static int number(String text, List<String> names, int first) {
      int named = names.indexOf(text.toLowerCase(Locale.ROOT));
      if (named >= 0) return first + named;
      if (!text.matches("[0-9]{1,4}")) throw new IllegalArgumentException("no number: " + text);
      return Integer.parseInt(text);
    }

    @Override
    public Optional<Instant> next(Instant after, Instant now) {
      return Stream.iterate(day(now), day -> day.plusDays(1))
          .limit(LONGEST)
          .filter(this::has)
          .flatMap(day -> of(day, hours, minutes))
          .filter(time -> time.isAfter(now))
          .findFirst();
    }

    @Override
    public Optional<Instant> last(Instant after, Instant until) {
      var first = day(after);
      return Stream.iterate(
              day(until), day -> !day.isBefore(first), (LocalDate day) -> day.minusDays(1))
          .filter(this::has)
          .flatMap(day -> of(day, hours.descendingSet(), minutes.descendingSet()))
          .filter(time -> !time.isAfter(until))
          .findFirst()
          .filter(time -> time.isAfter(after));
    }

    private LocalDate day(Instant time) {
      return time.atZone(zone).toLocalDate();
    }

    private boolean has(LocalDate day) {
      if (!months.contains(day.getMonthValue())) return false;
      boolean ofMonth = days.contains(day.getDayOfMonth());
      boolean ofWeek = weekdays.contains(day.getDayOfWeek().getValue() % WEEKDAYS.size());
      return anyDay || anyWeekday ? ofMonth && ofWeek : ofMonth || ofWeek;
    }

    private Stream<Instant> of(
        LocalDate day, NavigableSet<Integer> hours, NavigableSet<Integer> minutes) {
      return hours.stream()
          .flatMap(hour -> minutes.stream().map(minute -> LocalTime.of(hour, minute)))
          .map(day::atTime)
          .filter(time -> !zone.getRules().getValidOffsets(time).isEmpty())
          .map(time -> ZonedDateTime.of(time, zone).withEarlierOffsetAtOverlap().toInstant());
    }
  }
}
