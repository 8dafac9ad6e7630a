package dev.berth.driver.baremetal.object;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// What a drive is made of (BM-20), in the order in which `ANY` prefers them (BM-21).
public enum DriveType {
  HDD,
  SSD,
  NVME;

  public static Optional<DriveType> named(String word) {
    return Arrays.stream(values())
        .filter(it -> it.name().equals(word.toUpperCase(Locale.ROOT)))
        .findFirst();
  }
}
