package dev.berth.sidecar.protection;

import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Dispatch;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.Seen;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import dev.berth.sidecar.connection.DriverFacts;
import dev.berth.sidecar.connection.Means;
import dev.berth.sidecar.part.Sidecar;
import dev.berth.sidecar.source.Source;
import dev.berth.sidecar.source.SourceHolds;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Lets go of a claim that is being deleted, once no volume is being made a copy of its own
/// (PROV-145, PROV-146). Until somebody deletes it, the finalizer stays.
public final class CloneProtection implements Decider<ObjectKey, CloneProtection.View, LetGo> {
  private static final String HELD = "held";

  private static final Index<Claim> HELD_CLAIMS =
      new Index<>(
          Kinds.CLAIM, "held while copied", claim -> isHeld(claim) ? List.of(HELD) : List.of());

  /// Whichever driver is to make the copy: the one that held the claim may be gone.
  private static final Dispatch<Claim> OF_COPIES =
      new Dispatch<>(
          Kinds.CLAIM,
          "claims that are copied, and copies",
          (change, _) ->
              change.after().filter(CloneProtection::isHeld).isPresent()
                      || change.versions().anyMatch(CloneProtection::isCopy)
                  ? List.of(HELD)
                  : List.of(),
          (name, objects) -> objects.by(HELD_CLAIMS, name).stream());

  private final String driver;

  CloneProtection(String driver) {
    this.driver = driver;
  }

  public static Concern<Means, ?, ?, ?> of(DriverFacts driver) {
    return new Concern<>(
        Sidecar.PROVISIONER.role(driver.name()),
        new CloneProtection(driver.name()),
        means ->
            effect ->
                new SourceHolds(means.api())
                    .letGo(Resources.CLAIMS, effect.seen().object(), Finalizers.CLONING));
  }

  /// What it sees.
  public record View(Snapshot objects) {}

  @Override
  public String name() {
    return "cloning-protection/" + driver;
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(Trigger.on(OF_COPIES.share(HELD), CloneProtection::claims));
  }

  private static boolean isHeld(Claim claim) {
    return claim.meta().hasFinalizer(Finalizers.CLONING);
  }

  private static boolean isCopy(Claim claim) {
    return claim.dataSource().filter(it -> it.kind().equals(Source.CLAIM_KIND)).isPresent();
  }

  /// The claim if it is held, and the one that it was to be a copy of; that of another claim of its
  /// name, too, which has gone.
  private static Stream<ObjectKey> claims(Change<Claim> change, Snapshot objects) {
    var own = change.after().filter(CloneProtection::isHeld).stream();
    var source =
        change
            .versions()
            .flatMap(claim -> claim.dataSource().stream())
            .distinct()
            .filter(it -> it.kind().equals(Source.CLAIM_KIND))
            .flatMap(it -> objects.get(Kinds.CLAIM, it.key()).found().stream())
            .filter(CloneProtection::isHeld);
    return Stream.concat(own, source).map(it -> it.meta().key());
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.objects().get(Kinds.CLAIM, key)) {
      case Missing<Claim> _ -> new Settled();
      case Found(var claim) when !claim.meta().deleting() || !isHeld(claim) -> new Settled();
      case Found(var claim) ->
          Fillings.from(Source.CLAIM_KIND, key, view.objects())
              .<Step>map(copy -> untilCopied(claim, copy))
              .orElseGet(() -> new Act(new LetGo(key, new Seen<>(claim.meta()))));
    };
  }

  private static Wait untilCopied(Claim claim, Claim copy) {
    return Wait.on(copy.ref(), "status.phase")
        .since(claim.meta().deleted().orElseThrow())
        .until("the volume of claim %s is copied from its own".formatted(copy.meta().key()))
        .remedy("see what it waits for: " + Commands.explain(copy.ref()));
  }

  @Override
  public Class<LetGo> effectType() {
    return LetGo.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.CLAIM);
  }
}
