package dev.berth.sidecar.provisioner;

import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CLONE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.CREATE_DELETE_VOLUME;
import static dev.berth.csi.v1.ControllerServiceCapability.RPC.Type.MODIFY_VOLUME;

import dev.berth.csi.v1.ControllerServiceCapability;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Claim.DataSource;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.provisioner.intent.Recipe;
import dev.berth.sidecar.source.Source;
import java.util.List;
import java.util.Optional;

/// What makes a request hopeless before the driver is asked: a list of rules, in the order in which
/// their complaints win (PROV-40).
final class Hindrances {
  private static final String SNAPSHOT_GROUP = "snapshot.storage.k8s.io";

  private final DriverFacts driver;
  private final ProvisionerOptions options;
  private final List<Rule> rules =
      List.of(
          this::dataSource,
          this::capability,
          this::attributesClass,
          Hindrances::selector,
          Hindrances::fileSystem);

  private interface Rule {
    Optional<Wait> hinders(Claim claim, Recipe recipe);
  }

  Hindrances(DriverFacts driver, ProvisionerOptions options) {
    this.driver = driver;
    this.options = options;
  }

  /// The first thing that stands in the way of a new volume.
  Optional<Wait> of(Claim claim, Recipe recipe) {
    return rules.stream().flatMap(rule -> rule.hinders(claim, recipe).stream()).findFirst();
  }

  /// PROV-60 to PROV-64, as far as the claim shows it.
  private Optional<Wait> dataSource(Claim claim, Recipe recipe) {
    return claim.dataSource().flatMap(source -> dataSource(claim, source));
  }

  private Optional<Wait> dataSource(Claim claim, DataSource source) {
    if (source.namespaced() && !options.has(Feature.CROSS_NAMESPACE_SOURCES))
      return Optional.of(
          wrongSource(
              claim,
              "dataSourceRef namespace specified but the CrossNamespaceVolumeDataSource feature is"
                  + " disabled")); // PROV-61
    if (source.name().isEmpty())
      return Optional.of(
          wrongSource(claim, "the PVC source not found for PVC %s".formatted(claim.meta().name())));
    return switch (source.kind()) {
      case Source.SNAPSHOT_KIND -> snapshot(claim, source); // PROV-63
      case Source.CLAIM_KIND -> lacks(claim, CLONE_VOLUME, "clone operations");
      case String kind -> Optional.of(untilPopulated(claim, kind)); // PROV-64
    };
  }

  private Optional<Wait> snapshot(Claim claim, DataSource source) {
    if (!source.group().equals(SNAPSHOT_GROUP))
      return Optional.of(
          wrongSource(
              claim,
              "the PVC source does not belong to the right APIGroup. Expected %s, Got %s"
                  .formatted(SNAPSHOT_GROUP, source.group())));
    return lacks(claim, CREATE_DELETE_SNAPSHOT, "snapshot restore");
  }

  private static Wait wrongSource(Claim claim, String why) {
    return Complaint.ofAttempt(
        claim,
        Wait.on(claim.ref(), "spec.dataSourceRef")
            .since(claim.meta().created())
            .until("it is replaced by a claim whose data source can be used")
            .remedy("delete the claim and create it with another data source"),
        why);
  }

  private static Wait untilPopulated(Claim claim, String kind) {
    return Wait.on(claim.ref(), "spec.volumeName")
        .since(claim.meta().created())
        .until("a populator for " + kind + " has provisioned the volume")
        .remedy("check that a populator for " + kind + " runs")
        .tell(
            Complaint.attempt(claim),
            Notice.normal(
                    claim.ref(),
                    Reasons.PROVISIONING,
                    "Assuming an external populator will provision the volume")
                .toldBy("external-provisioner")); // PROV-180
  }

  /// PROV-06.
  Optional<Wait> capability(Claim claim) {
    if (driver.provisions()) return Optional.empty();
    return Optional.of(
        Complaint.ofAttempt(
            claim,
            Wait.on(claim.ref())
                .since(claim.meta().created())
                .until("driver %s can create volumes".formatted(driver.name()))
                .remedy("use a class of a driver that can, or create the PersistentVolume by hand"),
            lacking("dynamic provisioning", CREATE_DELETE_VOLUME)));
  }

  private Optional<Wait> capability(Claim claim, Recipe recipe) {
    return capability(claim);
  }

  /// What the claim asks for beyond a volume, and the driver cannot do.
  private Optional<Wait> lacks(
      Claim claim, ControllerServiceCapability.RPC.Type capability, String what) {
    if (driver.can(capability)) return Optional.empty();
    return Optional.of(
        Complaint.ofAttempt(
            claim,
            Wait.on(claim.ref(), "spec")
                .since(claim.meta().created())
                .until("driver %s has capability %s".formatted(driver.name(), capability))
                .remedy("create the claim without it, or with a class of a driver that has it"),
            lacking(what, capability)));
  }

  private static String lacking(String what, ControllerServiceCapability.RPC.Type capability) {
    return "CSI driver does not support %s: controller %s capability is not reported"
        .formatted(what, capability);
  }

  /// PROV-18.
  private static Optional<Wait> selector(Claim claim, Recipe recipe) {
    return claim
        .selector()
        .map(_ ->
            Complaint.ofAttempt(
                claim,
                Wait.on(claim.ref(), "spec.selector")
                    .since(claim.meta().created())
                    .until("a volume that the selector matches is free")
                    .remedy("create the claim without a selector, or a matching PersistentVolume"),
                "claim Selector is not supported"));
  }

  /// PROV-34.
  private static Optional<Wait> fileSystem(Claim claim, Recipe recipe) {
    return ClassParameters.twoFileSystems(recipe.parameters())
        .map(why -> wrongClass(claim, recipe, why));
  }

  /// PROV-35: after everything else, but before the driver.
  static Optional<Wait> parameters(Claim claim, Recipe recipe) {
    return ClassParameters.unknownKey(recipe.parameters())
        .map(why ->
            wrongClass(claim, recipe, "failed to strip CSI Parameters of prefixed keys: " + why));
  }

  /// PROV-38.
  private Optional<Wait> attributesClass(Claim claim, Recipe recipe) {
    if (claim.attributesClassName().isEmpty() || !options.has(Feature.ATTRIBUTES_CLASSES))
      return Optional.empty();
    return lacks(claim, MODIFY_VOLUME, "VolumeAttributesClass");
  }

  /// Parameters that no driver will ever see.
  static Wait wrongClass(Claim claim, Recipe recipe, String why) {
    var name = recipe.className();
    return Complaint.ofAttempt(
        claim,
        Wait.on(Ref.of(Resources.STORAGE_CLASSES, ObjectKey.cluster(name)), "parameters")
            .since(claim.meta().created())
            .until("class %s is replaced by one with right parameters".formatted(name))
            .remedy("delete class %s and create it anew: %s".formatted(name, why)),
        why);
  }
}
