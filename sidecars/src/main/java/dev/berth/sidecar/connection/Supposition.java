package dev.berth.sidecar.connection;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CLONE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.EXPAND_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.MODIFY_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME;
import static dev.berth.csi.v1.GroupControllerServiceCapability.RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT;
import static dev.berth.csi.v1.PluginCapability.Service.Type.CONTROLLER_SERVICE;
import static dev.berth.csi.v1.PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE;
import static dev.berth.csi.v1.PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.Indexes;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// What a driver must say of itself if the objects of the API tell the truth: the reading by which
/// its sidecars are asked where nobody can ask the driver (docs/decisions/explain-readings.md).
public final class Supposition {
  private Supposition() {}

  /// It creates volumes, from snapshots and others too, makes them larger, changes their
  /// attributes, attaches them unless its CSIDriver says otherwise, and has topology if it has
  /// topology keys on some node.
  public static DriverFacts of(String driver, Snapshot objects) {
    var plugin = EnumSet.of(CONTROLLER_SERVICE, GROUP_CONTROLLER_SERVICE);
    var controller =
        EnumSet.of(
            CREATE_DELETE_VOLUME,
            CREATE_DELETE_SNAPSHOT,
            CLONE_VOLUME,
            EXPAND_VOLUME,
            MODIFY_VOLUME);
    if (!objects.by(Indexes.CSI_NODES_BY_TOPOLOGY, driver).isEmpty())
      plugin.add(VOLUME_ACCESSIBILITY_CONSTRAINTS);
    boolean attaches =
        objects
            .get(Kinds.CSI_DRIVER, ObjectKey.cluster(driver))
            .found()
            .map(CsiDriver::attachRequired)
            .orElse(true);
    if (attaches) controller.add(PUBLISH_UNPUBLISH_VOLUME);
    return new DriverFacts(
        driver,
        "",
        plugin,
        Set.of(),
        controller,
        Set.of(CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT),
        Set.of(),
        Optional.empty());
  }
}
