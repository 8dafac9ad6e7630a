package dev.berth.apiserver.table;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/// How long something has lasted, in the two or three figures that people want to see.
final class Age {
  private static final String UNKNOWN = "<unknown>";
  private static final String INVALID = "<invalid>";

  private Age() {}

  /// Time since the moment in a field of `node`; `<unknown>` if there is none.
  static String since(JsonNode node, String field, Instant now) {
    try {
      return Json.instant(node, field).map(then -> since(then, now)).orElse(UNKNOWN);
    } catch (DateTimeParseException noTime) {
      return INVALID;
    }
  }

  static String since(Instant then, Instant now) {
    return text(Duration.between(then, now));
  }

  /// The moment in a field of `node`, if it has one.
  static Optional<Instant> moment(JsonNode node, String field) {
    try {
      return Json.instant(node, field);
    } catch (DateTimeParseException noTime) {
      return Optional.empty();
    }
  }

  /// `5s`, `2m5s`, `3h12m`, `4d`. Up to two seconds in the future still pass for now.
  static String text(Duration age) {
    if (age.compareTo(Duration.ofSeconds(-2)) <= 0) return INVALID;
    if (age.isNegative()) return "0s";
    if (age.toSeconds() < 120) return age.toSeconds() + "s";
    if (age.toMinutes() < 10) return age.toMinutes() + "m" + rest(age.toSecondsPart(), "s");
    if (age.toHours() < 3) return age.toMinutes() + "m";
    if (age.toHours() < 8) return age.toHours() + "h" + rest(age.toMinutesPart(), "m");
    if (age.toHours() < 48) return age.toHours() + "h";
    if (age.toDays() < 8) return age.toDays() + "d" + rest(age.toHoursPart(), "h");
    long years = age.toDays() / 365;
    if (years < 2) return age.toDays() + "d";
    if (years < 8) return years + "y" + rest(age.toDays() % 365, "d");
    return years + "y";
  }

  private static String rest(long number, String unit) {
    return number == 0 ? "" : number + unit;
  }
}
