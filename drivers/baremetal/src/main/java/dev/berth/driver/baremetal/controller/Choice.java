package dev.berth.driver.baremetal.controller;

import dev.berth.driver.baremetal.node.NodeVolumes;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.model.Placement;
import dev.berth.driver.model.Refusal;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Topology;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/// Which drive a volume gets: on the nodes in the order in which they are preferred, the cheapest
/// kind, of that the smallest that is large enough, and of several the first by name (BM-21,
/// BM-91). A volume that shares goes where others are already, and fills the fullest (BM-210).
record Choice(Wish wish, SizeRange size, Placement placement) {
  private static final Comparator<Offer> ORDER =
      Comparator.comparing((Offer it) -> !it.drive.sharing().any())
          .thenComparing(it -> it.drive.type())
          .thenComparing(Offer::offered)
          .thenComparing(it -> it.drive.uuid());

  /// A drive that the volume may have.
  ///
  /// @param offered bytes that it could have there
  /// @param size bytes that it would have
  record Offer(Drive drive, long offered, long size) {}

  /// The drives that it may have, the best first.
  ///
  /// @throws Refusal NO_ROOM if none is free, OUT_OF_RANGE if all that are free are too large
  List<Offer> candidates(Collection<Drive> drives, AwayDrives away) {
    var fitting = new ArrayList<Offer>();
    long smallest = Long.MAX_VALUE;
    for (var drive : drives) {
      if (!away.isNone(drive) || !placement.accepts(List.of(place(drive)))) continue;
      long offered = wish.offered(drive);
      if (offered == 0 || offered < size.required()) continue;
      smallest = Math.min(smallest, offered);
      wish.size(size, offered).ifPresent(bytes -> fitting.add(new Offer(drive, offered, bytes)));
    }
    fitting.sort(ORDER);
    if (!fitting.isEmpty()) return inOrderOfPreference(fitting);
    // BM-101
    if (smallest != Long.MAX_VALUE)
      throw Refusal.outOfRange(
          wish.shared()
              ? "no multiple of 1 MiB that holds the file system is in the range of " + size
              : "a volume is a whole drive, and the smallest free one of %d bytes is more than the limit of %s"
                  .formatted(smallest, size));
    throw Refusal.noRoom( // BM-93
        "no %s drive of %s is free%s; %s"
            .formatted(
                wish.storageType(),
                size,
                placement.requisite().isEmpty() ? "" : " there",
                remedy(drives, away)));
  }

  /// The drives that a volume may have, the best first; none is no refusal.
  static List<Drive> fitting(Wish wish, SizeRange size, Collection<Drive> drives, AwayDrives away) {
    return drives.stream()
        .filter(away::isNone)
        .filter(it -> wish.offered(it) > 0 && wish.size(size, wish.offered(it)).isPresent())
        .map(it -> new Offer(it, wish.offered(it), size.required()))
        .sorted(ORDER)
        .map(Offer::drive)
        .toList();
  }

  /// BM-211: what only waits for a person's word is told to him.
  private String remedy(Collection<Drive> drives, AwayDrives away) {
    long waiting =
        drives.stream()
            .filter(it -> placement.accepts(List.of(place(it))))
            .filter(it -> it.awaitsConsent() && wish.fits(it))
            .count();
    var same =
        drives.stream()
            .filter(it -> placement.accepts(List.of(place(it))) && wish.offered(it) > 0)
            .filter(it -> !away.isNone(it))
            .findFirst();
    if (same.isPresent())
      return "drive %s, with the serial number %s, bears one of drive %s, which has data of volumes and may have been moved: put it back where it was; if it is another, wait until both have been there for 12 minutes, or delete the object of the one that is gone"
          .formatted(
              same.get().uuid(),
              same.get().identity().serial(),
              away.same(same.get()).map(Drive::uuid).orElse(""));
    return waiting == 0
        ? "free one or add one"
        : "nobody has said yet that volumes may have %d blank one%s: berth drives discover, then berth drives init"
            .formatted(waiting, waiting == 1 ? "" : "s");
  }

  private List<Offer> inOrderOfPreference(List<Offer> fitting) {
    var ordered = new ArrayList<Offer>();
    for (var place : placement.preferred())
      for (var offer : fitting)
        if (place(offer.drive).equals(place) && !ordered.contains(offer)) ordered.add(offer);
    for (var offer : fitting) if (!ordered.contains(offer)) ordered.add(offer);
    return ordered;
  }

  static Topology place(Drive drive) {
    return Topology.of(NodeVolumes.TOPOLOGY, drive.nodeId());
  }
}
