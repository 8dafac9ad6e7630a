package dev.berth.driver.disk.controller;

import dev.berth.driver.model.Access;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Usage;
import java.util.List;
import java.util.OptionalLong;

/// Which sizes volumes have.
final class Sizes {
  private static final long MIB = 1L << 20;

  /// Sizes are multiples of this, so that every file system and block size fits.
  private static final long UNIT = 4096;

  private static final long USUAL = 1024 * MIB;

  /// @throws Refusal OUT_OF_RANGE if no size in the range makes a volume
  static long choose(SizeRange range, List<Usage> usages, long largest) {
    var smallest = smallest(usages);
    if (range.limit().orElse(Long.MAX_VALUE) < smallest)
      throw Refusal.outOfRange(
          "%s asked for; the smallest volume of this kind has %d".formatted(range, smallest));
    if (range.required() > largest)
      throw Refusal.outOfRange("%s asked for; the largest volume has %d".formatted(range, largest));
    var atLeast =
        new SizeRange(
            range.required() == 0 ? 0 : Math.max(range.required(), smallest), range.limit());
    return atLeast
        .choose(Math.min(Math.max(USUAL, smallest), largest), UNIT)
        .orElseThrow(
            () -> Refusal.outOfRange("no multiple of %d bytes is %s".formatted(UNIT, range)));
  }

  /// The largest size that is no larger.
  static long whole(long bytes) {
    return bytes & -UNIT;
  }

  static long smallest(List<Usage> usages) {
    return usages.stream().mapToLong(Sizes::smallest).max().orElse(UNIT);
  }

  /// What the makers of the file systems insist on.
  private static long smallest(Usage usage) {
    if (!(usage.access() instanceof Access.Mount mount)) return UNIT;
    return switch (mount.fsType()) {
      case "xfs" -> 300 * MIB;
      case "btrfs" -> 109 * MIB;
      default -> 2 * MIB;
    };
  }

  static OptionalLong smallestFor(List<Usage> usages) {
    return OptionalLong.of(smallest(usages));
  }

  private Sizes() {}
}
