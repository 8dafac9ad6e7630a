package dev.berth.driver.baremetal.controller;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Presence;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Drives that are out of reach and hold what volumes have written. One that shows itself in
/// another node, or says its maker otherwise, is another object, blank if a volume's raw bytes are
/// all that is on it: nobody gets it (BM-81, BM-146).
record AwayDrives(Map<String, List<Drive>> bySerial) {
  static AwayDrives of(Collection<Drive> drives) {
    return new AwayDrives(
        drives.stream()
            .filter(it -> it.observed().presence() == Presence.OFFLINE && it.isWrittenTo())
            .collect(Collectors.groupingBy(AwayDrives::serial)));
  }

  private static String serial(Drive drive) {
    return drive.identity().serial().toLowerCase(Locale.ROOT);
  }

  /// Which of them a drive may be.
  Optional<Drive> same(Drive drive) {
    return bySerial.getOrDefault(serial(drive), List.of()).stream()
        .filter(it -> !it.uuid().equals(drive.uuid()) && it.size() == drive.size())
        .findFirst();
  }

  boolean isNone(Drive drive) {
    return same(drive).isEmpty();
  }
}
