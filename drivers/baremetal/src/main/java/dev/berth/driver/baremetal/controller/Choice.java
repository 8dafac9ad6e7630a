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
/// BM-91).
record Choice(Wish wish, SizeRange size, Placement placement) {
  private static final Comparator<Drive> ORDER =
      Comparator.comparing(Drive::type).thenComparing(Drive::size).thenComparing(Drive::uuid);

  /// The drives that it may have, the best first.
  ///
  /// @throws Refusal NO_ROOM if none is free, OUT_OF_RANGE if all that are free are too large
  List<Drive> candidates(Collection<Drive> drives) {
    var free =
        drives.stream()
            .filter(Drive::available)
            .filter(wish::accepts)
            .filter(drive -> placement.accepts(List.of(place(drive))))
            .filter(drive -> drive.size() >= size.required())
            .toList();
    var fitting = free.stream().filter(drive -> size.contains(drive.size())).sorted(ORDER).toList();
    if (!fitting.isEmpty()) return inOrderOfPreference(fitting);
    // BM-101
    if (!free.isEmpty())
      throw Refusal.outOfRange(
          "a volume is a whole drive, and the smallest free one of %d bytes is more than the limit of %s"
              .formatted(free.stream().mapToLong(Drive::size).min().orElseThrow(), size));
    throw Refusal.noRoom( // BM-93
        "no %s drive of %s is free%s; free one or add one"
            .formatted(wish.storageType(), size, placement.requisite().isEmpty() ? "" : " there"));
  }

  private List<Drive> inOrderOfPreference(List<Drive> fitting) {
    var ordered = new ArrayList<Drive>();
    for (var place : placement.preferred())
      for (var drive : fitting)
        if (place(drive).equals(place) && !ordered.contains(drive)) ordered.add(drive);
    for (var drive : fitting) if (!ordered.contains(drive)) ordered.add(drive);
    return ordered;
  }

  static Topology place(Drive drive) {
    return Topology.of(NodeVolumes.TOPOLOGY, drive.nodeId());
  }
}
