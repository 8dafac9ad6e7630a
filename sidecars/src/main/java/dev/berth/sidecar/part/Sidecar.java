package dev.berth.sidecar.part;

import dev.berth.kube.loop.Role;
import dev.berth.kube.loop.Telling;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.name.Reasons;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/// The sidecars that stand beside a driver's controller, each as upstream's of its name: who knows
/// its Lease or filters by the source of its events finds ours (ONE-18, ONE-21).
public enum Sidecar {
  PROVISIONER(
      "provisioner",
      LeaseNames::provisioner,
      (driver, host) -> driver + "_" + host, // PROV-180
      new Telling.InEvents(Set.of(Reasons.PROVISIONING_FAILED, Reasons.VOLUME_FAILED_DELETE))),
  ATTACHER(
      "attacher",
      LeaseNames::attacher,
      (driver, _) -> "external-attacher " + driver, // upstream tells none
      new Telling.InStatus()),
  RESIZER(
      "resizer",
      LeaseNames::resizer,
      (driver, _) -> "external-resizer " + driver, // RSZ-09
      new Telling.InEvents(Set.of(Reasons.VOLUME_RESIZE_FAILED, Reasons.VOLUME_MODIFY_FAILED))),
  SNAPSHOTTER(
      "snapshotter",
      LeaseNames::snapshotter,
      (driver, _) -> "csi-snapshotter " + driver,
      new Telling.InEvents(
          Set.of(
              Reasons.SNAPSHOT_CREATION_FAILED,
              Reasons.SNAPSHOT_CHECK_FAILED,
              Reasons.SNAPSHOT_DELETE_ERROR))),
  HEALTH_MONITOR(
      "health-monitor",
      LeaseNames::healthMonitor,
      (driver, _) -> "csi-pv-monitor-controller-" + driver,
      new Telling.Nowhere());

  private final String title;
  private final UnaryOperator<String> lease;
  private final Source source;
  private final Telling failures;

  @FunctionalInterface
  private interface Source {
    String of(String driver, String host);
  }

  Sidecar(String title, UnaryOperator<String> lease, Source source, Telling failures) {
    this.title = title;
    this.lease = lease;
    this.source = source;
    this.failures = failures;
  }

  /// As users write it, such as `health-monitor`.
  public String title() {
    return title;
  }

  /// The one that users call so.
  public static Optional<Sidecar> titled(String title) {
    return Arrays.stream(values()).filter(each -> each.title.equals(title)).findFirst();
  }

  /// Name of the Lease that whoever acts for the driver holds.
  public String lease(String driver) {
    return lease.apply(driver);
  }

  /// What the events of its Lease name as their source, before who holds it: the Lease as it was
  /// called before it had to be an object's name. Upstream's resizer cleans it first (RSZ-08).
  public String leaseTeller(String driver) {
    return this == RESIZER
        ? lease(driver)
        : lease(driver).replace(LeaseNames.clean(driver), driver);
  }

  /// What its events name as their source.
  ///
  /// @param host the host's name, `_`, and what no other process there has
  public String eventSource(String driver, String host) {
    return source.of(driver, host);
  }

  /// As whom its deciders are known.
  public Role role(String driver) {
    return Role.of(title + " of " + driver, driver, lease(driver)).telling(failures);
  }
}
