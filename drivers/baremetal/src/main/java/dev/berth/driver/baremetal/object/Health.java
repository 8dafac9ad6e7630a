package dev.berth.driver.baremetal.object;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// How well a drive or a volume is (BM-20).
public enum Health {
  GOOD,
  /// It works, and is expected to fail.
  SUSPECT,
  BAD,
  /// Nobody could find out.
  UNKNOWN;

  /// Reads people's words, in any letter case.
  public static Optional<Health> named(String word) {
    return Arrays.stream(values())
        .filter(it -> it.name().equals(word.toUpperCase(Locale.ROOT)))
        .findFirst();
  }

  /// Whether what is on it ought to leave (BM-71). Not knowing is no reason.
  public boolean failing() {
    return this == SUSPECT || this == BAD;
  }
}
