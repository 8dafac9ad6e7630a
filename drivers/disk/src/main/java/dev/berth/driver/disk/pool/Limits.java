package dev.berth.driver.disk.pool;

import dev.berth.driver.model.Refusal;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// How fast a volume may be read and written: the mutable parameters.
///
/// @param readIops operations a second; 0 here and below: no limit
/// @param readBytes bytes a second
public record Limits(long readIops, long writeIops, long readBytes, long writeBytes) {
  public static final Limits NONE = new Limits(0, 0, 0, 0);

  /// Not those of every script, which the JDK takes too: the caller is told what holds.
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  private static final String READ_IOPS = "readIops";
  private static final String WRITE_IOPS = "writeIops";
  private static final String READ_BYTES = "readBytesPerSecond";
  private static final String WRITE_BYTES = "writeBytesPerSecond";

  /// Reads what a caller asks for.
  ///
  /// @throws Refusal INVALID for an unknown key or a value that is no number
  public static Limits of(Map<String, String> parameters) {
    var rest = new TreeMap<>(parameters);
    var limits =
        new Limits(
            take(rest, READ_IOPS),
            take(rest, WRITE_IOPS),
            take(rest, READ_BYTES),
            take(rest, WRITE_BYTES));
    if (!rest.isEmpty())
      throw Refusal.invalid(
          "parameter %s is unknown; there are %s, %s, %s and %s"
              .formatted(rest.firstKey(), READ_IOPS, WRITE_IOPS, READ_BYTES, WRITE_BYTES));
    return limits;
  }

  private static long take(Map<String, String> parameters, String key) {
    var value = parameters.remove(key);
    if (value == null) return 0;
    try {
      if (DIGITS.matcher(value).matches()) return Long.parseLong(value);
    } catch (NumberFormatException _) {
      // Told below: there are numbers beyond the largest.
    }
    throw Refusal.invalid(
        "parameter %s is %s; use a whole number, 0 for no limit".formatted(key, value));
  }
}
