package dev.berth.controller;

import dev.berth.controller.ControllerMetrics.Counted;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.VolumeMode;
import dev.berth.volume.Translation;
import java.util.List;
import java.util.stream.Stream;

/// How many objects there are of which sort (MET-01).
///
/// @param of the values of `labels` of each object that counts
record ObjectCounts(String name, String help, List<String> labels, Counted of) {
  private static final List<String> OF_CLAIMS =
      List.of("namespace", "storage_class", "volume_attributes_class");

  /// The binder's.
  static final List<ObjectCounts> BOUND =
      List.of(
          new ObjectCounts(
              "pv_collector_total_pv_count",
              "Gauge measuring total number of persistent volumes",
              List.of("plugin_name", "volume_mode"),
              objects -> volumes(objects).map(it -> Stream.of(plugin(it), mode(it)))),
          new ObjectCounts(
              "pv_collector_bound_pv_count",
              "Gauge measuring number of persistent volume currently bound",
              List.of("storage_class"),
              objects -> volumes(objects).filter(ObjectCounts::bound).map(ObjectCounts::labels)),
          new ObjectCounts(
              "pv_collector_unbound_pv_count",
              "Gauge measuring number of persistent volume currently unbound",
              List.of("storage_class"),
              objects -> volumes(objects).filter(it -> !bound(it)).map(ObjectCounts::labels)),
          new ObjectCounts(
              "pv_collector_bound_pvc_count",
              "Gauge measuring number of persistent volume claim currently bound",
              OF_CLAIMS,
              objects -> claims(objects).filter(ObjectCounts::bound).map(ObjectCounts::labels)),
          new ObjectCounts(
              "pv_collector_unbound_pvc_count",
              "Gauge measuring number of persistent volume claim currently unbound",
              OF_CLAIMS,
              objects -> claims(objects).filter(it -> !bound(it)).map(ObjectCounts::labels)));

  /// Those of attach/detach.
  static final List<ObjectCounts> ATTACHED =
      List.of(
          new ObjectCounts(
              "attachdetach_controller_total_volumes",
              "Number of volumes in A/D Controller",
              List.of("plugin_name", "state"),
              AttachableVolumes::byState),
          new ObjectCounts(
              "storage_count_attachable_volumes_in_use",
              "Measure number of volumes in use",
              List.of("node", "volume_plugin"),
              AttachableVolumes::byNode));

  private static Stream<Volume> volumes(Snapshot objects) {
    return objects.all(Kinds.VOLUME).stream();
  }

  private static Stream<Claim> claims(Snapshot objects) {
    return objects.all(Kinds.CLAIM).stream();
  }

  private static String plugin(Volume volume) {
    return Translation.NONE.source(volume).map(source -> plugin(source.driver())).orElse("N/A");
  }

  /// As upstream calls what serves a driver's volumes.
  static String plugin(String driver) {
    return "kubernetes.io/csi:" + driver;
  }

  private static String mode(Volume volume) {
    return volume.volumeMode() == VolumeMode.BLOCK ? "Block" : "Filesystem";
  }

  private static boolean bound(Volume volume) {
    return volume.phase() == Volume.Phase.BOUND;
  }

  private static boolean bound(Claim claim) {
    return claim.phase() == Claim.Phase.BOUND;
  }

  private static Stream<String> labels(Volume volume) {
    return Stream.of(volume.className());
  }

  private static Stream<String> labels(Claim claim) {
    return Stream.of(
        claim.meta().namespace(), claim.className().orElse(""), claim.attributesClassName());
  }
}
