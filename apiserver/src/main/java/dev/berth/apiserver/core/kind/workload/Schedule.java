package dev.berth.apiserver.core.kind.workload;

import dev.berth.kube.value.GoDuration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// When a CronJob is due: five fields, or a word such as `@daily` or `@every 5m`.
final class Schedule {
  private static final List<String> WORDS =
      List.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");

  private static final String EVERY = "@every ";

  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

  private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

  /// What one of the five may be.
  ///
  /// @param names for the numbers from `least` on
  private record Range(int least, int most, List<String> names) {}

  private static final List<Range> FIELDS =
      List.of(
          new Range(0, 59, List.of()),
          new Range(0, 23, List.of()),
          new Range(1, 31, List.of()),
          new Range(1, 12, MONTHS),
          new Range(0, 6, DAYS));

  private Schedule() {}

  /// What is wrong with one.
  static Optional<String> fault(String schedule) {
    if (schedule.startsWith("@"))
      return WORDS.contains(schedule) || isInterval(schedule)
          ? Optional.empty()
          : Optional.of("unrecognized descriptor: " + schedule);
    var fields = schedule.strip().split("\\s+");
    if (fields.length != FIELDS.size())
      return Optional.of(
          "expected exactly 5 fields, found %d: [%s]".formatted(fields.length, schedule));
    for (int i = 0; i < fields.length; i++)
      for (var part : fields[i].split(",", -1))
        if (!fits(part, FIELDS.get(i)))
          return Optional.of("failed to parse \"%s\" of \"%s\"".formatted(part, schedule));
    return Optional.empty();
  }

  private static boolean isInterval(String schedule) {
    return schedule.startsWith(EVERY)
        && GoDuration.parse(schedule.substring(EVERY.length())).isPresent();
  }

  /// `*`, `5`, `1-5`, `mon-fri`, each with or without `/2`.
  private static boolean fits(String part, Range range) {
    var stepped = part.split("/", -1);
    if (stepped.length > 2) return false;
    if (stepped.length == 2 && number(stepped[1], List.of(), 0) < 1) return false;
    if (stepped[0].equals("*") || stepped[0].equals("?")) return true;
    var ends = stepped[0].split("-", -1);
    if (ends.length > 2) return false;
    int from = number(ends[0], range.names(), range.least());
    int to = ends.length == 2 ? number(ends[1], range.names(), range.least()) : from;
    return from >= range.least() && to <= range.most() && from <= to;
  }

  /// @return -1 if it is none
  private static int number(String text, List<String> names, int first) {
    int named = names.indexOf(text.toLowerCase(Locale.ROOT));
    if (named >= 0) return first + named;
    return text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : -1;
  }
}
