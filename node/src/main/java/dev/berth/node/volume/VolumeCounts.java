package dev.berth.node.volume;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.VolumeName;
import dev.berth.node.volume.need.Needs;
import dev.berth.node.volume.need.Want;
import dev.berth.node.volume.state.Actual;
import dev.berth.volume.Indexes;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// How many volumes of each driver there are on a node, and shall be: a volume that two pods have
/// counts twice (NVM-20).
public final class VolumeCounts {
  private VolumeCounts() {}

  /// What pods have, or may have.
  public static Map<String, Integer> mounted(Actual actual) {
    return byDriver(
        actual.volumes().values().stream()
            .flatMap(volume -> volume.publications().keySet().stream().map(_ -> volume.name())));
  }

  /// What pods that neither have ended nor are to go are to have.
  public static Map<String, Integer> wanted(Snapshot objects, String node) {
    var needs = new Needs(objects);
    return byDriver(
        objects.by(Indexes.PODS_BY_NODE, node).stream()
            .filter(pod -> !pod.finished() && !pod.meta().deleting())
            .flatMap(pod -> needs.wants(pod).map(Want::name).distinct()));
  }

  private static Map<String, Integer> byDriver(Stream<VolumeName> names) {
    return names.collect(
        Collectors.groupingBy(VolumeName::driver, TreeMap::new, Collectors.summingInt(_ -> 1)));
  }
}
