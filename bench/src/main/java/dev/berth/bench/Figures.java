package dev.berth.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Times of one thing, done several times.
public record Figures(String what, List<Double> millis) {
  /// Median, spread and count, in one line.
  public String line() {
    var sorted = millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    return String.format(
        Locale.ROOT,
        "%-52s median %9.1f ms   min %9.1f   max %9.1f   n=%d",
        what,
        sorted[sorted.length / 2],
        sorted[0],
        Arrays.stream(sorted).max().orElse(0),
        sorted.length);
  }
}
