package dev.berth.driver.serve;

import dev.berth.csi.v1.VolumeGroupSnapshot;
import dev.berth.driver.model.GroupSnapshot;
import dev.berth.driver.model.SizeRange;
import dev.berth.driver.model.Snapshot;
import dev.berth.driver.model.Topology;
import dev.berth.driver.model.Volume;
import dev.berth.driver.model.Wire;
import dev.berth.driver.spi.Located;
import dev.berth.driver.spi.OnNode.NodeInfo;
import dev.berth.driver.spi.SnapshotMetadata.Extent;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What a driver gives out, checked. A violation is the driver's fault and told in words for its
/// developer: to whom only looks as INTERNAL (ERR-11), after a change as something that may have
/// happened (ERR-07), for it has, and is only told of badly.
record Outgoing(Parts parts) {
  dev.berth.csi.v1.Volume volume(Volume volume) {
    id("volume_id", volume.id());
    map("volume_context", volume.context());
    volume.reachableFrom().forEach(this::place);
    return Wire.message(volume);
  }

  dev.berth.csi.v1.Snapshot snapshot(Snapshot snapshot) {
    id("snapshot_id", snapshot.id());
    return Wire.message(snapshot);
  }

  VolumeGroupSnapshot group(GroupSnapshot group) {
    id("group_snapshot_id", group.id());
    for (var member : group.members()) {
      id("snapshot_id", member.id());
      // GRP-05
      if (!member.groupId().equals(Optional.of(group.id())))
        throw wrong(
            "member %s does not say that it is of group %s".formatted(member.id(), group.id()));
    }
    return Wire.message(group);
  }

  /// RNG-02.
  static void size(long bytes, SizeRange asked) {
    if (!asked.contains(bytes))
      throw wrong("its volume has %d bytes, not %s".formatted(bytes, asked));
  }

  /// SMD-02.
  ///
  /// @param before the one before it; empty: it is the first
  /// @param from where the caller begins
  static void extent(Extent extent, Optional<Extent> before, long from) {
    if (extent.length() <= 0) throw wrong(extent + " has no bytes");
    if (extent.offset() + extent.length() <= from)
      throw wrong("%s is before byte %d, where the caller begins".formatted(extent, from));
    if (before.isPresent() && extent.offset() < before.get().offset() + before.get().length())
      throw wrong("%s is not behind %s".formatted(extent, before.get()));
  }

  Map<String, String> publishContext(Map<String, String> context) {
    map("publish_context", context);
    return context;
  }

  NodeInfo node(NodeInfo node) {
    if (parts.has(Located.class) && node.topology().isEmpty())
      throw wrong("it is Located and its node has no topology");
    node.topology().ifPresent(this::place);
    return node;
  }

  /// TOP-03, and CAP-08: no topology of a driver that does not say that it has one.
  private void place(Topology place) {
    var known = parts.find(Located.class).map(Located::topologyKeys).orElse(Set.of());
    if (!known.containsAll(place.segments().keySet()))
      throw wrong("topology %s has keys that Located does not name".formatted(place));
    if (!Fields.isTopology(place)) throw wrong("topology %s is malformed".formatted(place));
  }

  private static void id(String field, String value) {
    if (!Fields.canBeId(value))
      throw wrong(
          "%s %s is not 1 to 128 bytes without control characters"
              .formatted(field, Fields.shown(value)));
  }

  private static void map(String field, Map<String, String> map) {
    if (Fields.isTooLarge(map)) throw wrong(field + " has more than 4096 bytes");
  }

  private static IllegalStateException wrong(String words) {
    return new IllegalStateException("the driver is wrong: " + words);
  }
}
