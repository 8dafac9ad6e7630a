package dev.berth.sidecar.provisioner.intent;

import dev.berth.csi.v1.Topology;
import dev.berth.csi.v1.Volume;
import java.util.List;
import java.util.Map;

/// A volume that the driver has made and that could not be saved: what its PersistentVolume will
/// say, kept in the claim so that whoever is the provisioner next saves it without asking the
/// driver again. A driver that refuses what it has made is then no reason to forget it (PROV-105,
/// PROV-191).
///
/// @param bytes its size; 0: as was asked for
/// @param context what the driver wants to be told of it
/// @param reachable parts of the cluster that reach it, as pairs of topology; empty: the driver
///   does not say
public record Made(
    String handle, long bytes, Map<String, String> context, List<Map<String, String>> reachable) {
  public Made {
    context = Map.copyOf(context);
    reachable = reachable.stream().map(Map::copyOf).toList();
  }

  /// @param volume whose source is known to be the one that was asked for
  public static Made of(Volume volume) {
    return new Made(
        volume.getVolumeId(),
        volume.getCapacityBytes(),
        volume.getVolumeContextMap(),
        volume.getAccessibleTopologyList().stream().map(Topology::getSegmentsMap).toList());
  }

  /// As the driver answered, but for the source.
  public Volume volume() {
    var volume =
        Volume.newBuilder()
            .setVolumeId(handle)
            .setCapacityBytes(bytes)
            .putAllVolumeContext(context);
    reachable.forEach(pairs -> volume.addAccessibleTopologyBuilder().putAllSegments(pairs));
    return volume.build();
  }
}
