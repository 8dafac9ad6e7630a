package dev.berth.sidecar.provisioner;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.ClaimRef;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.dispatch.Asking;
import dev.berth.sidecar.dispatch.Concerned;
import dev.berth.sidecar.part.Sidecar;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// Makes volumes for the claims of one driver's classes, as kubernetes-csi/external-provisioner
/// does. Deleting them is the reclaimer's.
public final class Provisioner implements Decider<ObjectKey, View, ProvisionEffect> {
  /// Claims that have no volume, by the driver that is to make it and by class.
  private static final Index<Claim> UNBOUND_BY_CLASS =
      new Index<>(
          Kinds.CLAIM,
          "unbound, by driver and class",
          claim ->
              claim.volumeName().isEmpty()
                  ? Asking.asked(claim)
                      .flatMap(driver -> claim.className().map(name -> slot(driver, name)))
                      .stream()
                      .toList()
                  : List.of());

  private final DriverFacts driver;
  private final ProvisionDecision decision;

  Provisioner(DriverFacts driver, ProvisionerOptions options) {
    this.driver = driver;
    decision = new ProvisionDecision(driver, options);
  }

  public static Concern<Means, ?, ?, ?> of(DriverFacts driver, ProvisionerOptions options) {
    return of(driver, options, _ -> {});
  }

  /// @param failed is told the class of each volume that the driver did not make
  public static Concern<Means, ?, ?, ?> of(
      DriverFacts driver, ProvisionerOptions options, Consumer<String> failed) {
    return new Concern<>(
        Sidecar.PROVISIONER.role(driver.name()),
        new Provisioner(driver, options),
        means ->
            new ProvisionEffects(
                driver,
                options,
                means::controller,
                means.api(),
                means.events(),
                means.time(),
                means.identity(),
                failed));
  }

  @Override
  public String name() {
    return "provisioner/" + driver.name();
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    var triggers = new ArrayList<Trigger<?, ObjectKey>>();
    triggers.add(Trigger.on(Concerned.OF_CLAIM.share(driver.name()), this::claimsOfClaim));
    triggers.add(Trigger.on(Kinds.STORAGE_CLASS, this::claimsOfClass));
    triggers.add(Trigger.on(Concerned.OF_VOLUME.share(driver.name()), this::claimOfVolume));
    if (driver.hasTopology()) {
      triggers.add(Trigger.on(Concerned.OF_NODE.share(driver.name()), this::claimsPlacedByNode));
      triggers.add(
          Trigger.on(Concerned.OF_CSI_NODE.share(driver.name()), this::claimsPlacedByDriver));
    }
    return triggers;
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, ObjectKey claim) {
    return decision.decide(view, claim);
  }

  @Override
  public Class<ProvisionEffect> effectType() {
    return ProvisionEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.CLAIM);
  }

  /// The claim, and those that are to be copies of it.
  private Stream<ObjectKey> claimsOfClaim(Change<Claim> change, Snapshot objects) {
    return Stream.concat(ours(change), copies(change.latest().meta().key(), objects));
  }

  private Stream<ObjectKey> copies(ObjectKey claim, Snapshot objects) {
    return objects.by(Asking.UNBOUND_BY_SOURCE, claim.toString()).stream()
        .filter(decision::concerns)
        .map(copy -> copy.meta().key());
  }

  private Stream<ObjectKey> ours(Change<Claim> change) {
    boolean concerned = change.versions().anyMatch(decision::concerns);
    return concerned ? Stream.of(change.latest().meta().key()) : Stream.empty();
  }

  private Stream<ObjectKey> claimsOfClass(Change<StorageClass> change, Snapshot objects) {
    return objects.by(UNBOUND_BY_CLASS, slot(driver.name(), change.latest().meta().name())).stream()
        .map(claim -> claim.meta().key());
  }

  /// Neither can have a slash.
  private static String slot(String driver, String className) {
    return driver + "/" + className;
  }

  /// To its own claim a volume's coming and going matter, not what becomes of it between.
  private Stream<ObjectKey> claimOfVolume(Change<Volume> change, Snapshot objects) {
    var claims = change.versions().flatMap(volume -> volume.claim().stream()).map(ClaimRef::key);
    return claims
        .distinct()
        .flatMap(claim ->
            change.isComingOrGoing()
                ? Stream.concat(copies(claim, objects), own(claim, objects))
                : copies(claim, objects));
  }

  private Stream<ObjectKey> own(ObjectKey claim, Snapshot objects) {
    return objects
        .get(Kinds.CLAIM, claim)
        .found()
        .filter(decision::concerns)
        .map(found -> found.meta().key())
        .stream();
  }

  private Stream<ObjectKey> claimsPlacedByNode(Change<Node> change, Snapshot objects) {
    var before = change.before().map(node -> node.meta().labels());
    var after = change.after().map(node -> node.meta().labels());
    return before.equals(after) ? Stream.empty() : claimsOfDriver(objects);
  }

  private Stream<ObjectKey> claimsPlacedByDriver(Change<CsiNode> change, Snapshot objects) {
    var before = change.before().flatMap(node -> node.driver(driver.name()));
    var after = change.after().flatMap(node -> node.driver(driver.name()));
    boolean same =
        before.equals(after) && change.before().isPresent() == change.after().isPresent();
    return same ? Stream.empty() : claimsOfDriver(objects);
  }

  private Stream<ObjectKey> claimsOfDriver(Snapshot objects) {
    return objects.by(Asking.UNBOUND_BY_DRIVER, driver.name()).stream()
        .map(claim -> claim.meta().key());
  }
}
