package dev.berth.driver.disk.node;

import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Pools;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.Wire;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// What a pod's author writes into `volumeAttributes` of an inline volume.
///
/// @param bytes how large the volume is to be; `size`, such as `64Mi`, 1 GiB if it is missing
/// @param pool name of its pool's folder; empty: the first of the node
record EphemeralWish(long bytes, String pool) {
  private static final Set<String> KNOWN = Set.of("size", "pool");
  private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})(|Ki|Mi|Gi|Ti)");
  private static final String UNITS = "KMGT";
  private static final long UNIT = 4096;
  private static final long SMALLEST = 2L << 20;
  private static final long LARGEST = 8L << 40;

  /// @throws Refusal INVALID, naming the key; OUT_OF_RANGE
  static EphemeralWish of(Map<String, String> context) {
    var attributes = Wire.withoutKubernetes(context);
    for (var key : attributes.keySet())
      if (!KNOWN.contains(key))
        throw Refusal.invalid("attribute %s is unknown; there are size and pool".formatted(key));
    return new EphemeralWish(
        bytes(attributes.getOrDefault("size", "1Gi")), attributes.getOrDefault("pool", ""));
  }

  private static long bytes(String size) {
    var parts = SIZE.matcher(size);
    if (!parts.matches())
      throw Refusal.invalid("attribute size is %s; write it like 64Mi or 1Gi".formatted(size));
    var shift = parts.group(2).isEmpty() ? 0 : 10 * (1 + UNITS.indexOf(parts.group(2).charAt(0)));
    var number = Long.parseLong(parts.group(1));
    if (number > LARGEST >> shift || number << shift < SMALLEST)
      throw Refusal.outOfRange(
          "attribute size is %s; it may be from %d to %d bytes".formatted(size, SMALLEST, LARGEST));
    return (number << shift) + UNIT - 1 & -UNIT;
  }

  Pool choose(Pools pools) {
    return pools.all().stream()
        .filter(it -> pool.isEmpty() || String.valueOf(it.folder().getFileName()).equals(pool))
        .findFirst()
        .orElseThrow(
            () -> Refusal.invalid("attribute pool is %s; this node has no such".formatted(pool)));
  }
}
