package dev.berth.driver.baremetal.manager.base;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Which of a machine's disks whoever set the driver up has given to it (BM-211). Any other one is
/// shown, and is nobody's until a person says so of that disk.
///
/// @param allBlank whether each one is that nothing is on
/// @param serials those with one of these serial numbers, in upper case
public record Consent(boolean allBlank, Set<String> serials) {
  /// Nobody has said anything.
  public static final Consent NONE = new Consent(false, Set.of());

  public Consent {
    serials =
        serials.stream()
            .map(it -> it.toUpperCase(Locale.ROOT))
            .collect(Collectors.toUnmodifiableSet());
  }

  /// @param disk all serial numbers that it goes by, in upper case
  /// @param blank whether nothing is on the disk, as far as a look could see
  boolean to(Set<String> disk, boolean blank) {
    return (allBlank && blank) || disk.stream().anyMatch(serials::contains);
  }
}
