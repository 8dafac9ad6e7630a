package dev.berth.apiserver.core.custom;

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
