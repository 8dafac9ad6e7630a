package dev.berth.controller;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Translation;
import dev.berth.volume.Way;
import dev.berth.volume.Ways;
import java.util.stream.Stream;

/// Volumes that are attached to nodes, and that are to be (MET-02).
final class AttachableVolumes {
  private static final String DESIRED = "desired_state_of_world";
  private static final String ACTUAL = "actual_state_of_world";

  private AttachableVolumes() {}

  /// A volume that a pod on a node uses.
  private record Use(VolumeName volume, String node) {}

  /// Those that pods use and those that are attached, or may be.
  static Stream<Stream<String>> byState(Snapshot objects) {
    return Stream.concat(
        uses(objects).map(use -> Stream.of(plugin(use), DESIRED)),
        objects.all(Kinds.ATTACHMENT).stream()
            .map(it -> Stream.of(ObjectCounts.plugin(it.attacher()), ACTUAL)));
  }

  static Stream<Stream<String>> byNode(Snapshot objects) {
    return uses(objects).map(use -> Stream.of(use.node(), plugin(use)));
  }

  private static String plugin(Use use) {
    return ObjectCounts.plugin(use.volume().driver());
  }

  /// One that several pods of a node use is one.
  private static Stream<Use> uses(Snapshot objects) {
    var ways = new Ways(objects, Translation.NONE);
    return objects.all(Kinds.POD).stream()
        .filter(pod -> !pod.nodeName().isEmpty() && !hasEnded(pod) && isManaged(objects, pod))
        .flatMap(pod ->
            ways.ofClaims(pod)
                .flatMap(
                    way -> way instanceof Way.Arrived it ? Stream.of(it.name()) : Stream.empty())
                .filter(volume -> attaches(objects, volume.driver()))
                .map(volume -> new Use(volume, pod.nodeName())))
        .distinct();
  }

  private static boolean hasEnded(Pod pod) {
    return pod.finished() || (pod.meta().deleting() && !pod.anyContainerRunning());
  }

  private static boolean isManaged(Snapshot objects, Pod pod) {
    return objects
        .get(Kinds.NODE, ObjectKey.cluster(pod.nodeName()))
        .found()
        .filter(Node::managed)
        .isPresent();
  }

  private static boolean attaches(Snapshot objects, String driver) {
    return objects
        .get(Kinds.CSI_DRIVER, ObjectKey.cluster(driver))
        .found()
        .map(CsiDriver::attachRequired)
        .orElse(true);
  }
}
