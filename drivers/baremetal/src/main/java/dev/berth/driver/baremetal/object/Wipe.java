package dev.berth.driver.baremetal.object;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How a tenant's bytes leave a drive: class parameter `wipe` (BM-119).
public enum Wipe {
  /// Only the marks by which file systems are found: the bytes can be read by the next tenant.
  SIGNATURES,
  /// All reads as zeros afterwards: by the drive where it can do that, else by writing.
  ZERO,
  /// Nothing: the drive is left unclean, and nobody gets it.
  NONE;

  /// @param word `discard` is [#ZERO]: what a drive discards without promising zeros is written
  ///   over
  public static Optional<Wipe> named(String word) {
    if (word.equalsIgnoreCase("discard")) return Optional.of(ZERO);
    return Arrays.stream(values())
        .filter(it -> it.name().equals(word.toUpperCase(Locale.ROOT)))
        .findFirst();
  }
}
