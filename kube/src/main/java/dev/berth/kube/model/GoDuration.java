package dev.berth.kube.model;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/// Times as Go's programs take them: `15s`, `1m30s`, `250ms`, `1.5h`.
public final class GoDuration {
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private static final Pattern PART = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ns|us|ms|s|m|h)");
  private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + "){1,6}");

  private GoDuration() {}

  /// @throws IllegalArgumentException if it is no positive time in this form
  public static Duration parse(String text) {
    double nanos = 0;
    if (WHOLE.matcher(text).matches()) {
      var parts = PART.matcher(text);
      while (parts.find())
        nanos += Double.parseDouble(parts.group(1)) * NANOS.getOrDefault(parts.group(2), 0L);
    }
    if (nanos < 1)
      throw new IllegalArgumentException("write a time such as 15s, 1m30s or 250ms, not " + text);
    return Duration.ofNanos((long) nanos);
  }
}
