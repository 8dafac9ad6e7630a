package dev.berth.driver.model;

import java.util.OptionalLong;

/// How large a volume may be: CSI's `CapacityRange` with its zeroes given their meaning.
///
/// @param required smallest acceptable size in bytes; 0: any size will do
/// @param limit largest acceptable size in bytes, not below `required`; empty: no limit
public record SizeRange(long required, OptionalLong limit) {
  public static final SizeRange ANY = new SizeRange(0, OptionalLong.empty());

  public SizeRange {
    if (required < 0)
      throw new IllegalArgumentException("required_bytes is " + required + ", below 0");
    if (limit.isPresent() && limit.getAsLong() <= 0)
      throw new IllegalArgumentException("limit_bytes is " + limit.getAsLong() + ", not above 0");
    if (limit.isPresent() && limit.getAsLong() < required)
      throw new IllegalArgumentException(
          "limit_bytes %d is below required_bytes %d".formatted(limit.getAsLong(), required));
  }

  public static SizeRange atLeast(long required) {
    return new SizeRange(required, OptionalLong.empty());
  }

  public boolean contains(long bytes) {
    return bytes >= required && (limit.isEmpty() || bytes <= limit.getAsLong());
  }

  /// The size to make: `required`, or `usual` if the caller has no wish, rounded up to a multiple
  /// of `unit` and never above the limit (RNG-02).
  ///
  /// @param usual size in bytes if `required` is 0
  /// @param unit sizes are multiples of this many bytes
  /// @return empty: no multiple of `unit` lies in the range
  public OptionalLong choose(long usual, long unit) {
    var wanted = required > 0 ? required : Math.min(usual, limit.orElse(Long.MAX_VALUE));
    if (required > Long.MAX_VALUE - unit + 1) return OptionalLong.empty();
    var rounded = (wanted + unit - 1) / unit * unit;
    if (required == 0 && !contains(rounded)) rounded = wanted / unit * unit;
    return rounded > 0 && contains(rounded) ? OptionalLong.of(rounded) : OptionalLong.empty();
  }

  /// For people: `1073741824 bytes`, `1 to 2 bytes`.
  @Override
  public String toString() {
    if (limit.isEmpty()) return "at least " + required + " bytes";
    if (limit.getAsLong() == required) return "exactly " + required + " bytes";
    return required + " to " + limit.getAsLong() + " bytes";
  }
}
