package dev.berth.sidecar.resizer;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.ClaimGrowth;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Quantity;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.dispatch.Concerned;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.resizer.ResizerOptions.WhileUsed;
import dev.berth.volume.Indexes;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Makes the volumes of one driver larger, as kubernetes-csi/external-resizer does.
public final class Resizer implements Decider<ObjectKey, View, GrowthEffect> {
  private final String driver;
  private final ResizerOptions options;
  private final GrowthDecision decision;

  Resizer(DriverFacts driver, Reach reach, ResizerOptions options) {
    this.driver = driver.name();
    this.options = options;
    decision = new GrowthDecision(driver, reach, options);
  }

  public static Concern<Means, ?, ?, ?> of(
      DriverFacts driver, Reach reach, ResizerOptions options) {
    var name = driver.name();
    return new Concern<>(
        Sidecar.RESIZER.role(name),
        new Resizer(driver, reach, options),
        means ->
            new GrowthEffects(
                name,
                options,
                means.controller(options.timeout()),
                means.api(),
                means.events(),
                means.time(),
                means.turns()));
  }

  @Override
  public String name() {
    return "resizer/" + driver;
  }

  /// Pods are not looked at if nothing depends on them: there may be very many (RSZ-62, RSZ-64).
  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    var triggers = new ArrayList<Trigger<?, ObjectKey>>();
    triggers.add(Trigger.on(Concerned.OF_CLAIM.share(driver), this::ofClaim));
    triggers.add(Trigger.on(Concerned.OF_VOLUME.share(driver), this::ofVolume));
    if (options.whileUsed() == WhileUsed.WAIT)
      triggers.add(Trigger.on(Concerned.OF_ENDED_POD.share(driver), this::ofPod));
    return List.copyOf(triggers);
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now, options.whileUsed());
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return decision.decide(view, key);
  }

  @Override
  public Class<GrowthEffect> effectType() {
    return GrowthEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.CLAIM);
  }

  /// RSZ-21: what nothing here depends on is no reason for a look.
  private Stream<ObjectKey> ofClaim(Change<Claim> change, Snapshot objects) {
    boolean same = change.before().isPresent() && change.after().isPresent();
    return same && Wish.of(change.before().get()).equals(Wish.of(change.after().get()))
        ? Stream.empty()
        : Stream.of(change.latest())
            .filter(it -> mayBeOurs(it, objects))
            .map(it -> it.meta().key());
  }

  /// Whose volume it is that is not seen yet nobody knows.
  private boolean mayBeOurs(Claim claim, Snapshot objects) {
    if (claim.volumeName().isEmpty()) return false;
    return objects
        .get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))
        .found()
        .map(this::isOurs)
        .orElse(true);
  }

  private boolean isOurs(Volume volume) {
    return Translation.NONE
        .source(volume)
        .map(CsiSource::driver)
        .filter(driver::equals)
        .isPresent();
  }

  /// What a decision reads of a claim.
  private record Wish(
      String uid,
      Claim.Phase phase,
      String volume,
      Quantity request,
      Quantity capacity,
      ClaimGrowth growth,
      List<ClaimCondition> conditions) {
    static Wish of(Claim claim) {
      return new Wish(
          claim.meta().uid(),
          claim.phase(),
          claim.volumeName(),
          claim.request(),
          GrowthDecision.capacity(claim),
          claim.growth(),
          claim.conditions());
    }
  }

  private Stream<ObjectKey> ofVolume(Change<Volume> change, Snapshot objects) {
    if (!isOurs(change.latest())) return Stream.empty();
    return objects.by(Indexes.CLAIMS_BY_VOLUME, change.latest().meta().name()).stream()
        .map(claim -> claim.meta().key());
  }

  /// RSZ-63: the claim that the driver could do nothing for while the pod used it.
  private Stream<ObjectKey> ofPod(Change<Pod> change, Snapshot objects) {
    return Concerned.ended(change)
        .flatMap(pod -> PodClaim.of(pod).stream())
        .flatMap(used -> objects.get(Kinds.CLAIM, used.key()).found().stream())
        .filter(claim -> Past.hasFailedWhileUsed(claim) && mayBeOurs(claim, objects))
        .map(claim -> claim.meta().key());
  }
}
