package dev.berth.kube.value;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;

/// Reads times as Kubernetes writes them. Every object has one, and several more in
/// `managedFields`: [Instant#parse] takes a tenth of what reading an object costs.
public final class Rfc3339 {
  private static final String FORM = "0000-00-00T00:00:00";
  private static final int MOST_DIGITS = 9;

  private Rfc3339() {}

  /// What [Instant#parse] reads in `text`.
  ///
  /// @throws DateTimeParseException if it is no time
  public static Instant parse(String text) {
    int last = text.length() - 1;
    if (last < FORM.length() || text.charAt(last) != 'Z' || !hasForm(text))
      return Instant.parse(text);
    int nanos = last == FORM.length() ? 0 : nanos(text, last);
    int hour = number(text, 11, 13);
    int minute = number(text, 14, 16);
    int second = number(text, 17, 19);
    if (nanos < 0 || hour > 23 || minute > 59 || second > 59) return Instant.parse(text);
    try {
      var day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
      return Instant.ofEpochSecond(
          ((day.toEpochDay() * 24 + hour) * 60 + minute) * 60 + second, nanos);
    } catch (DateTimeException noDay) {
      return Instant.parse(text); // says what is wrong with it
    }
  }

  private static boolean hasForm(String text) {
    for (int i = 0; i < FORM.length(); i++) {
      char is = text.charAt(i);
      if (FORM.charAt(i) == '0' ? !isDigit(is) : is != FORM.charAt(i)) return false;
    }
    return true;
  }

  /// What stands between the seconds and the end; negative: no fraction.
  private static int nanos(String text, int end) {
    int digits = end - FORM.length() - 1;
    if (text.charAt(FORM.length()) != '.' || digits < 1 || digits > MOST_DIGITS) return -1;
    int nanos = 0;
    for (int i = 0; i < MOST_DIGITS; i++) {
      char digit = i < digits ? text.charAt(FORM.length() + 1 + i) : '0';
      if (!isDigit(digit)) return -1;
      nanos = nanos * 10 + digit - '0';
    }
    return nanos;
  }

  private static int number(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) number = number * 10 + text.charAt(i) - '0';
    return number;
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }
}
