package dev.berth.sidecar.provisioner;

import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.Reasons;
import dev.berth.kube.model.Ref;
import dev.berth.kube.model.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import java.util.List;
import java.util.Optional;

/// What makes a request hopeless before the driver is asked: a list of rules, in the order in which
/// their complaints win (PROV-40).
final class Hindrances {
  private static final String SNAPSHOT = "VolumeSnapshot";
  private static final String CLAIM = "PersistentVolumeClaim";

  private final DriverFacts driver;
  private final List<Rule> rules =
      List.of(
          Hindrances::dataSource,
          this::capability,
          Hindrances::selector,
          Hindrances::parameters,
          Hindrances::attributesClass);

  private interface Rule {
    Optional<Wait> hinders(Claim claim, Intent intent);
  }

  Hindrances(DriverFacts driver) {
    this.driver = driver;
  }

  /// The first thing that stands in the way.
  Optional<Wait> of(Claim claim, Intent intent) {
    return rules.stream().flatMap(rule -> rule.hinders(claim, intent).stream()).findFirst();
  }

  /// Snapshots and clones do not exist here yet; any other kind is a populator's (PROV-60 to -64).
  private static Optional<Wait> dataSource(Claim claim, Intent intent) {
    return claim
        .dataSource()
        .map(source ->
            switch (source.kind()) {
              case SNAPSHOT, CLAIM ->
                  Complaint.of(
                      claim,
                      Wait.on(claim.ref(), "spec.dataSource")
                          .since(claim.meta().created())
                          .until("volumes can be filled from a " + source.kind())
                          .remedy("create the claim without a data source"),
                      "filling a volume from %s %s is not supported by this provisioner"
                          .formatted(source.kind(), source.name()));
              case String kind ->
                  Wait.on(claim.ref(), "spec.volumeName")
                      .since(claim.meta().created())
                      .until("a populator for " + kind + " has provisioned the volume")
                      .remedy("check that a populator for " + kind + " runs")
                      .tell(
                          Notice.normal(
                              claim.ref(),
                              Reasons.PROVISIONING,
                              "Assuming an external populator will provision the volume"));
            });
  }

  /// PROV-06.
  private Optional<Wait> capability(Claim claim, Intent intent) {
    if (driver.provisions()) return Optional.empty();
    return Optional.of(
        Complaint.of(
            claim,
            Wait.on(claim.ref())
                .since(claim.meta().created())
                .until("driver %s can create volumes".formatted(driver.name()))
                .remedy("use a class of a driver that can, or create the PersistentVolume by hand"),
            "CSI driver %s does not support dynamic provisioning of volumes"
                .formatted(driver.name())));
  }

  /// PROV-18.
  private static Optional<Wait> selector(Claim claim, Intent intent) {
    return claim
        .selector()
        .map(_ ->
            Complaint.of(
                claim,
                Wait.on(claim.ref(), "spec.selector")
                    .since(claim.meta().created())
                    .until("a volume that the selector matches is free")
                    .remedy("create the claim without a selector, or a matching PersistentVolume"),
                "claim Selector is not supported"));
  }

  /// PROV-34, PROV-35.
  private static Optional<Wait> parameters(Claim claim, Intent intent) {
    return ClassParameters.complaint(intent.recipe().parameters())
        .map(why -> wrongClass(claim, intent, why));
  }

  /// PROV-38 without the driver's capability; changing attributes is the resizer's, which is to
  /// come.
  private static Optional<Wait> attributesClass(Claim claim, Intent intent) {
    if (claim.attributesClassName().isEmpty()) return Optional.empty();
    return Optional.of(
        Complaint.of(
            claim,
            Wait.on(claim.ref(), "spec.volumeAttributesClassName")
                .since(claim.meta().created())
                .until("volume attributes classes are supported")
                .remedy("create the claim without spec.volumeAttributesClassName"),
            "VolumeAttributesClass %s is not supported by this provisioner"
                .formatted(claim.attributesClassName())));
  }

  /// Parameters that no driver will ever see.
  static Wait wrongClass(Claim claim, Intent intent, String why) {
    var name = intent.recipe().className();
    return Complaint.of(
        claim,
        Wait.on(Ref.of(Resources.STORAGE_CLASSES, ObjectKey.cluster(name)), "parameters")
            .since(claim.meta().created())
            .until("class %s is replaced by one with right parameters".formatted(name))
            .remedy("delete class %s and create it anew: %s".formatted(name, why)),
        why);
  }
}
