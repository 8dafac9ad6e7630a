package dev.berth.sidecar.health;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_VOLUMES;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.VOLUME_CONDITION;

import dev.berth.sidecar.connection.DriverFacts;

/// How a driver speaks of its volumes: one way, whatever else it can do (VH-01).
///
/// @param speech what the answers mean and where they are shown
/// @param lists whether it tells of all volumes at once
/// @param gets whether it can be asked for one volume
record Protocol(Speech speech, boolean lists, boolean gets) {
  enum Speech {
    /// CSI 1.13: several things may be wrong with a volume, each with a status and a reason.
    HEALTH,
    /// CSI up to 1.12: well or not, in words for people.
    CONDITION,
    /// It does not speak of them.
    NONE
  }

  static Protocol of(DriverFacts driver) {
    boolean listsHealth = driver.can(LIST_VOLUME_HEALTH);
    // VH-01
    if (listsHealth || driver.can(GET_VOLUME_HEALTH))
      return new Protocol(Speech.HEALTH, listsHealth, driver.can(GET_VOLUME_HEALTH));
    boolean lists = driver.can(LIST_VOLUMES);
    // HM-01
    if (driver.can(VOLUME_CONDITION) && (lists || driver.can(GET_VOLUME)))
      return new Protocol(Speech.CONDITION, lists, !lists);
    return new Protocol(Speech.NONE, false, false);
  }

  /// Each volume has to be asked for, as the driver tells of none by itself.
  boolean asksOnly() {
    return gets && !lists;
  }

  /// For people: what the driver can do that asks for it.
  String words() {
    return switch (speech) {
      case HEALTH -> lists ? LIST_VOLUME_HEALTH.name() : GET_VOLUME_HEALTH.name();
      case CONDITION ->
          VOLUME_CONDITION.name() + " and " + (lists ? LIST_VOLUMES : GET_VOLUME).name();
      case NONE -> "neither volume health nor VOLUME_CONDITION";
    };
  }
}
