package dev.berth.kube.name;

import dev.berth.kube.object.ObjectKey;

/// Under which names and where components hold their Leases (XPL-08).
public final class LeaseNames {
  /// Where controllers and sidecars of one machine hold theirs; a cluster's sidecars choose freely.
  public static final String SYSTEM = "kube-system";

  public static final String SCHEDULER = "kube-scheduler";
  public static final String CONTROLLER_MANAGER = "kube-controller-manager";

  public static final String SNAPSHOT_CONTROLLER = "snapshot-controller-leader";

  /// Where agents hold the Leases of their nodes.
  public static final String NODES = "kube-node-lease";

  private LeaseNames() {}

  public static ObjectKey node(String name) {
    return ObjectKey.of(NODES, name);
  }

  public static String provisioner(String driver) {
    return clean(driver);
  }

  public static String attacher(String driver) {
    return "external-attacher-leader-" + clean(driver);
  }

  public static String resizer(String driver) {
    return "external-resizer-" + clean(driver);
  }

  public static String snapshotter(String driver) {
    return "external-snapshotter-leader-" + clean(driver);
  }

  public static String healthMonitor(String driver) {
    return "external-health-monitor-leader-" + clean(driver);
  }

  /// As upstream's sidecars make a name of any text, a host's too (PROV-170).
  public static String clean(String text) {
    var name = text.replaceAll("[^A-Za-z0-9-]", "-");
    return name.endsWith("-") ? name + "X" : name;
  }
}
