package dev.berth.apiserver.core.custom;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.regex.Pattern;

/// The formats of texts that upstream checks; texts of all others pass.
final class Formats {
  private static final Pattern UUID =
      Pattern.compile("(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$");
  private static final Pattern DURATION =
      Pattern.compile("^[-+]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|ms|s|m|h)(.*)$");
  private static final Pattern DURATION_PART =
      Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|ms|s|m|h)");
  private static final int DURATION_DIGITS = 40;
  private static final Pattern IPV4 =
      Pattern.compile("^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])(\\.|$)){4}$");

  private Formats() {}

  static boolean admits(String format, String text) {
    return switch (format) {
      case "date-time" -> isDateTime(text);
      case "date" -> isDate(text);
      case "byte" -> isBase64(text);
      case "uuid" -> UUID.matcher(text).matches();
      case "duration" -> text.equals("0") || DURATION.matcher(text).matches();
      case "ipv4" -> IPV4.matcher(text).matches();
      default -> true;
    };
  }

  /// What a text of the format `duration` says, such as `1h30m`.
  ///
  /// @throws ArithmeticException it is longer than 64 bits of nanoseconds
  static Duration duration(String text) {
    var nanos = BigDecimal.ZERO;
    var parts = DURATION_PART.matcher(text);
    while (parts.find()) {
      if (parts.end() - parts.start() > DURATION_DIGITS)
        throw new ArithmeticException("invalid data, a duration is too long");
      nanos =
          nanos.add(
              new BigDecimal(parts.group(1)).multiply(BigDecimal.valueOf(unit(parts.group(2)))));
    }
    var length = Duration.ofNanos(nanos.toBigInteger().longValueExact());
    return text.startsWith("-") ? length.negated() : length;
  }

  private static long unit(String name) {
    return switch (name) {
      case "h" -> Duration.ofHours(1).toNanos();
      case "m" -> Duration.ofMinutes(1).toNanos();
      case "s" -> Duration.ofSeconds(1).toNanos();
      case "ms" -> Duration.ofMillis(1).toNanos();
      case "us", "µs" -> 1_000;
      default -> 1;
    };
  }

  private static boolean isDateTime(String text) {
    try {
      OffsetDateTime.parse(text);
      return true;
    } catch (DateTimeParseException otherwise) {
      return false;
    }
  }

  private static boolean isDate(String text) {
    try {
      LocalDate.parse(text);
      return true;
    } catch (DateTimeParseException otherwise) {
      return false;
    }
  }

  private static boolean isBase64(String text) {
    try {
      Base64.getDecoder().decode(text);
      return true;
    } catch (IllegalArgumentException otherwise) {
      return false;
    }
  }
}
