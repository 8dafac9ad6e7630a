package dev.berth.kube.value;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// Lengths of time as Go's programs write them: `15s`, `1m30s`, `-250ms`, `1.5h`.
public final class GoDuration {
  /// A number is gone through once, however long it is and wherever one looks for it.
  private static final Pattern PART =
      Pattern.compile("(?<![0-9.])([0-9]++(?:\\.[0-9]*+)?|\\.[0-9]++)(ns|us|µs|μs|ms|s|m|h)");

  /// More than 64 bits of nanoseconds need, and few enough to reckon with.
  private static final int MOST_DIGITS = 40;

  private static final Map<String, Duration> UNITS =
      Map.of(
          "ns", Duration.ofNanos(1),
          "us", Duration.ofNanos(1_000),
          "µs", Duration.ofNanos(1_000), // U+00B5, the sign for micro
          "μs", Duration.ofNanos(1_000), // U+03BC, the Greek letter
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "m", Duration.ofMinutes(1),
          "h", Duration.ofHours(1));

  private GoDuration() {}

  /// The time that a text is.
  ///
  /// @return empty: it is none, or is longer than 64 bits of nanoseconds
  public static Optional<Duration> parse(String text) {
    if (!isOne(text)) return Optional.empty();
    try {
      return Optional.of(within(text));
    } catch (ArithmeticException tooLong) {
      return Optional.empty();
    }
  }

  /// Whether there is nothing else in it. Zero needs no unit.
  private static boolean isOne(String text) {
    int at = text.startsWith("-") || text.startsWith("+") ? 1 : 0;
    if (text.substring(at).equals("0")) return true;
    var part = PART.matcher(text);
    boolean any = false;
    while (part.region(at, text.length()).lookingAt()) {
      any = true;
      at = part.end();
    }
    return any && at == text.length();
  }

  /// The times that stand anywhere in a text, together; less than zero if it begins with `-`.
  ///
  /// @return zero: there are none
  /// @throws ArithmeticException if they are longer than 64 bits of nanoseconds
  public static Duration within(String text) {
    var nanos = BigDecimal.ZERO;
    var part = PART.matcher(text);
    while (part.find()) {
      if (part.end() - part.start() > MOST_DIGITS)
        throw new ArithmeticException("invalid data, a duration is too long");
      var unit = UNITS.getOrDefault(part.group(2), Duration.ZERO);
      var count = new BigDecimal(part.group(1));
      nanos = nanos.add(count.multiply(BigDecimal.valueOf(unit.toNanos())));
    }
    var length = Duration.ofNanos(nanos.toBigInteger().longValueExact());
    return text.startsWith("-") ? length.negated() : length;
  }
}
