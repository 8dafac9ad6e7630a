package dev.berth.sidecar.modifier;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.AttributesClass;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.ClaimCondition;
import dev.berth.kube.model.ClaimModification;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.dispatch.Concerned;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.volume.Indexes;
import dev.berth.volume.Translation;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Gives the volumes of one driver the attributes that their claims ask for, as
/// kubernetes-csi/external-resizer does.
public final class Modifier implements Decider<ObjectKey, View, ModifyEffect> {
  /// Claims that are not done, by every class that they name.
  private static final Index<Claim> UNFINISHED_BY_CLASS =
      new Index<>(
          Kinds.CLAIM,
          "unfinished, by attributes class",
          claim ->
              ModificationDecision.isDone(claim)
                  ? List.of()
                  : List.copyOf(claim.attributesClasses()));

  private final String driver;
  private final ModificationDecision decision;

  Modifier(DriverFacts driver, ModifierOptions options) {
    this.driver = driver.name();
    decision = new ModificationDecision(driver, options);
  }

  public static Concern<Means, ?, ?, ?> of(DriverFacts driver, ModifierOptions options) {
    return new Concern<>(
        Sidecar.RESIZER.role(driver.name()),
        new Modifier(driver, options),
        means ->
            new ModifyEffects(
                means.controller(options.timeout()),
                means.api(),
                means.events(),
                means.time(),
                means.turns()));
  }

  @Override
  public String name() {
    return "modifier/" + driver;
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(
        Trigger.on(Concerned.OF_CLAIM.share(driver), this::ofClaim),
        Trigger.on(Concerned.OF_VOLUME.share(driver), this::ofVolume),
        Trigger.on(Kinds.ATTRIBUTES_CLASS, this::ofClass));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts, now);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return decision.decide(view, key);
  }

  @Override
  public Class<ModifyEffect> effectType() {
    return ModifyEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.CLAIM);
  }

  private Stream<ObjectKey> ofClaim(Change<Claim> change, Snapshot objects) {
    boolean same =
        change.before().isPresent()
            && change.after().isPresent()
            && Wish.of(change.before().get()).equals(Wish.of(change.after().get()));
    return same
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
      String wanted,
      String current,
      Optional<ClaimModification> modification,
      List<ClaimCondition> conditions) {
    static Wish of(Claim claim) {
      return new Wish(
          claim.meta().uid(),
          claim.phase(),
          claim.volumeName(),
          claim.attributesClassName(),
          claim.currentAttributesClass(),
          claim.modification(),
          claim.conditions());
    }
  }

  private Stream<ObjectKey> ofVolume(Change<Volume> change, Snapshot objects) {
    return isOurs(change.latest())
        ? unfinished(objects.by(Indexes.CLAIMS_BY_VOLUME, change.latest().meta().name()))
        : Stream.empty();
  }

  /// RSZ-90: claims that were waiting for it.
  private Stream<ObjectKey> ofClass(Change<AttributesClass> change, Snapshot objects) {
    return objects.by(UNFINISHED_BY_CLASS, change.latest().meta().name()).stream()
        .filter(claim -> mayBeOurs(claim, objects))
        .map(claim -> claim.meta().key());
  }

  private static Stream<ObjectKey> unfinished(Collection<Claim> claims) {
    return claims.stream()
        .filter(claim -> !ModificationDecision.isDone(claim))
        .map(claim -> claim.meta().key());
  }
}
