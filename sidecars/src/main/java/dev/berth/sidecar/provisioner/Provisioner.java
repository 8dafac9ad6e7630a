package dev.berth.sidecar.provisioner;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.kube.api.Api;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.EventRecorder;
import dev.berth.kube.loop.Effect;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Trigger;
import dev.berth.kube.loop.Unsplit;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.CsiNode;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.ObjectKey;
import dev.berth.kube.model.StorageClass;
import dev.berth.kube.model.Volume;
import dev.berth.kube.time.Time;
import dev.berth.sidecar.connection.DriverFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Makes volumes for the claims of one driver's classes, as kubernetes-csi/external-provisioner
/// does. Deleting them is the reclaimer's.
public final class Provisioner implements Unsplit<ObjectKey, View> {
  /// Claims that have no volume, by their class.
  private static final Index<Claim> UNBOUND_BY_CLASS =
      new Index<>(
          Kinds.CLAIM,
          "unbound, by class",
          claim -> claim.volumeName().isEmpty() ? claim.className().stream().toList() : List.of());

  private final DriverFacts driver;
  private final ProvisionDecision decision;
  private final Optional<ProvisionEffects> effects;

  private Provisioner(
      DriverFacts driver, ProvisionerOptions options, Optional<ProvisionEffects> effects) {
    this.driver = driver;
    this.effects = effects;
    decision = new ProvisionDecision(driver, options);
  }

  /// @param calls to the driver, each with a deadline (PROV-27)
  /// @param identity of this process, put on each volume (PROV-07)
  public static Provisioner of(
      DriverFacts driver,
      ProvisionerOptions options,
      ControllerCalls calls,
      Api api,
      EventRecorder events,
      Time time,
      String identity) {
    return new Provisioner(
        driver,
        options,
        Optional.of(new ProvisionEffects(driver, calls, api, events, time, identity)));
  }

  /// Decides only: for explanations.
  public static Provisioner explaining(DriverFacts driver) {
    return new Provisioner(driver, ProvisionerOptions.DEFAULT, Optional.empty());
  }

  @Override
  public String name() {
    return "provisioner/" + driver.name();
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    var triggers = new ArrayList<Trigger<?, ObjectKey>>();
    triggers.add(Trigger.on(Kinds.CLAIM, (change, _) -> Stream.of(change.latest().meta().key())));
    triggers.add(Trigger.on(Kinds.STORAGE_CLASS, Provisioner::claimsOfClass));
    triggers.add(Trigger.on(Kinds.VOLUME, (change, _) -> claimOfVolume(change)));
    if (driver.hasTopology()) {
      triggers.add(Trigger.on(Kinds.NODE, this::claimsPlacedByNode));
      triggers.add(Trigger.on(Kinds.CSI_NODE, this::claimsPlacedByDriver));
    }
    return triggers;
  }

  @Override
  public View view(Snapshot objects, Instant now) {
    return new View(objects, now);
  }

  @Override
  public Step decide(View view, ObjectKey claim) {
    return decision.decide(view, claim);
  }

  @Override
  public void carryOut(Effect effect) {
    effects
        .orElseThrow(() -> new IllegalStateException("a provisioner that explains does not act"))
        .carryOut((ProvisionEffect) effect);
  }

  private static Stream<ObjectKey> claimsOfClass(Change<StorageClass> change, Snapshot objects) {
    return objects.by(UNBOUND_BY_CLASS, change.latest().meta().name()).stream()
        .map(claim -> claim.meta().key());
  }

  /// A volume's coming and going matter, not what becomes of it between.
  private static Stream<ObjectKey> claimOfVolume(Change<Volume> change) {
    if (change.before().isPresent() && change.after().isPresent()) return Stream.empty();
    return change.latest().claim().map(Volume.ClaimRef::key).stream();
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
    return objects.all(Kinds.STORAGE_CLASS).stream()
        .filter(storageClass -> storageClass.provisioner().equals(driver.name()))
        .flatMap(storageClass -> objects.by(UNBOUND_BY_CLASS, storageClass.meta().name()).stream())
        .map(claim -> claim.meta().key());
  }
}
