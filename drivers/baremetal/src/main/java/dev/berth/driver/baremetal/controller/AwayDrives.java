package dev.berth.driver.baremetal.controller;

import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.driver.baremetal.object.Share;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.object.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Drives that hold what volumes have written, and that may have come to where they are out of
/// reach by being moved. One that shows itself in another node, or says its maker otherwise, is
/// another object, blank if a volume's raw bytes are all that is on it: nobody gets it (BM-81,
/// BM-146).
///
/// @param bySerial all drives with something on them, by each serial number that is known of them,
///   in lower case
record AwayDrives(Map<String, List<Drive>> bySerial, Snapshot objects, Instant now) {
  /// A node that is silent is found out within ten minutes at most, also by a controller that has
  /// just begun (BM-170): what is there still after that, and in another node too, is two drives.
  private static final Duration FOUND_OUT = Duration.ofMinutes(12);

  static AwayDrives of(Snapshot objects, Instant now) {
    return new AwayDrives(
        objects.all(BareMetalKinds.DRIVE).stream()
            .filter(Drive::isWrittenTo)
            .flatMap(drive -> serials(drive).map(serial -> Map.entry(serial, drive)))
            .collect(
                Collectors.groupingBy(
                    Map.Entry::getKey,
                    Collectors.mapping(Map.Entry::getValue, Collectors.toList()))),
        objects,
        now);
  }

  private static Stream<String> serials(Drive drive) {
    return Stream.concat(Stream.of(drive.identity().serial()), drive.knownAs().stream())
        .map(it -> it.toLowerCase(Locale.ROOT))
        .distinct();
  }

  /// Which of them a drive may be, whatever its size is by now.
  Optional<Drive> same(Drive drive) {
    return serials(drive)
        .flatMap(serial -> bySerial.getOrDefault(serial, List.of()).stream())
        .filter(it -> !it.uuid().equals(drive.uuid()))
        .filter(it -> it.observed().presence() == Presence.OFFLINE || mayHaveLeft(it, drive))
        .findFirst();
  }

  /// What a node has said last of a drive that was pulled is that it is there. Not if the other one
  /// was there before anything was written to this one.
  private boolean mayHaveLeft(Drive old, Drive fresh) {
    var came = fresh.meta().created();
    return now.isBefore(came.plus(FOUND_OUT))
        && (old.pendingWipe().isPresent()
            || old.unclean().isPresent()
            || volumes(old).anyMatch(it -> it.isEmpty() || it.get().isBefore(came)));
  }

  /// When those came that something was written for; empty: one that is not there any more.
  private Stream<Optional<Instant>> volumes(Drive drive) {
    return Stream.concat(
            drive.claimant().stream(), drive.sharing().shares().stream().map(Share::volume))
        .map(name -> {
          var parts = name.split("/", 2);
          return objects
              .get(BareMetalKinds.VOLUME, ObjectKey.of(parts[0], parts[1]))
              .found()
              .map((LocalVolume it) -> it.meta().created());
        });
  }

  boolean isNone(Drive drive) {
    return same(drive).isEmpty();
  }
}
