package dev.berth.sidecar;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_CAPACITY;

import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.model.CsiDriver;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.part.Sidecar;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Where a driver's CSIDriver and what it says of itself do not fit together (CD-02): whoever waits
/// for what nobody does is told nothing else.
final class Misfits {
  private static final String HIDDEN_INLINE =
      "volumeLifecycleModes has Ephemeral beside Persistent, and podInfoOnMount is false: the"
          + " driver is not told which volumes are a pod's own, and makes none";

  private Misfits() {}

  /// Nothing, if the object may not be read, or not now: nobody needs the answer but people.
  static List<String> read(Api api, DriverFacts driver, SidecarOptions options) {
    try {
      var object = api.get(Resources.CSI_DRIVERS, ObjectKey.cluster(driver.name()));
      return of(Optional.of(Kinds.CSI_DRIVER.read().apply(object)), driver, options);
    } catch (ApiException unread) {
      return unread.isNotFound() ? of(Optional.empty(), driver, options) : List.of();
    }
  }

  /// @param object empty: there is none, so it has Kubernetes' defaults (CD-01)
  static List<String> of(Optional<CsiDriver> object, DriverFacts driver, SidecarOptions options) {
    boolean attached = object.map(CsiDriver::attachRequired).orElse(true);
    var misfits = new ArrayList<String>();
    if (attached && !driver.publishes() && !options.chosen().contains(Sidecar.ATTACHER))
      misfits.add(
          "%s, and the driver lacks PUBLISH_UNPUBLISH_VOLUME: pods wait until an attacher says yes, and none runs in this process; attachRequired: false spares them that"
              .formatted(
                  object.isPresent()
                      ? "attachRequired is true"
                      : "there is no CSIDriver, so attachRequired is true"));
    if (!attached && driver.publishes())
      misfits.add(
          "attachRequired is false, and the driver has PUBLISH_UNPUBLISH_VOLUME: its"
              + " ControllerPublishVolume is never called");
    boolean capacity = object.map(CsiDriver::storageCapacity).orElse(false);
    if (capacity
        && options.chosen().contains(Sidecar.PROVISIONER)
        && !tellsCapacity(driver, options))
      misfits.add(
          "storageCapacity is true, and nobody here tells it (%s): pods whose volumes are made where they run are placed nowhere"
              .formatted(
                  driver.can(GET_CAPACITY)
                      ? "--enable-capacity is not given"
                      : "the driver lacks GET_CAPACITY"));
    object.filter(Misfits::hidesInline).ifPresent(_ -> misfits.add(HIDDEN_INLINE));
    return List.copyOf(misfits);
  }

  /// NodePublishVolume tells them apart by what `podInfoOnMount` adds to the volume's context
  /// alone.
  private static boolean hidesInline(CsiDriver object) {
    return object.lifecycleModes().size() > 1 && !object.podInfoOnMount();
  }

  private static boolean tellsCapacity(DriverFacts driver, SidecarOptions options) {
    return options.capacity().isPresent() && driver.can(GET_CAPACITY);
  }
}
