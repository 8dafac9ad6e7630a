package dev.berth.controller.expansion;

import dev.berth.controller.Means;
import dev.berth.kube.cache.Change;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Trigger;
import dev.berth.kube.loop.Concern;
import dev.berth.kube.loop.Decider;
import dev.berth.kube.loop.NoEffect;
import dev.berth.kube.loop.Role;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.CsiSource;
import dev.berth.kube.name.LeaseNames;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.value.Quantity;
import dev.berth.volume.Translation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What is left of kube-controller-manager's expand controller where every volume is a CSI
/// driver's: it tells that the driver's resizer is waited for.
public final class Expansion implements Decider<ObjectKey, Expansion.View, NoEffect> {
  private static final Role ROLE =
      Role.of("expand controller", "volume_expand", LeaseNames.CONTROLLER_MANAGER);

  Expansion() {}

  public static Concern<Means, ObjectKey, ?, ?> claims() {
    return Concern.silent(ROLE, new Expansion());
  }

  /// What it sees.
  public record View(Snapshot objects) {}

  @Override
  public String name() {
    return "expander";
  }

  @Override
  public List<Trigger<?, ObjectKey>> triggers() {
    return List.of(Trigger.on(Kinds.CLAIM, Expansion::ofClaim), Trigger.none(Kinds.VOLUME));
  }

  @Override
  public View view(Facts facts, Instant now) {
    return new View(facts);
  }

  @Override
  public Step decide(View view, ObjectKey key) {
    return switch (view.objects().get(Kinds.CLAIM, key)) {
      case Missing<Claim> _ -> new Settled();
      case Found(var claim) when !wantsMore(claim) -> new Settled();
      case Found(var claim) ->
          view.objects()
              .get(Kinds.VOLUME, ObjectKey.cluster(claim.volumeName()))
              .found()
              .filter(pv -> isBound(pv, claim))
              .<Step>map(pv -> untilLarger(claim, pv)) // RSZ-77
              .orElseGet(Settled::new);
    };
  }

  @Override
  public Class<NoEffect> effectType() {
    return NoEffect.class;
  }

  @Override
  public Stream<ObjectKey> about(Ref subject, Snapshot objects) {
    return subject.as(Kinds.CLAIM);
  }

  /// Also one that wants no more, or is gone: its wait is over, and the next one told again.
  private static Stream<ObjectKey> ofClaim(Change<Claim> change, Snapshot objects) {
    return Stream.of(change.before(), change.after())
        .flatMap(Optional::stream)
        .filter(Expansion::wantsMore)
        .map(it -> it.meta().key())
        .distinct();
  }

  private static boolean wantsMore(Claim claim) {
    return claim.phase() == Claim.Phase.BOUND
        && claim.request().compareTo(claim.capacity().orElse(Quantity.ofBytes(0))) > 0;
  }

  private static boolean isBound(Volume pv, Claim claim) {
    return pv.claim()
        .filter(it -> it.key().equals(claim.meta().key()) && it.uid().equals(claim.meta().uid()))
        .isPresent();
  }

  private static Wait untilLarger(Claim claim, Volume pv) {
    var driver = Translation.NONE.source(pv).map(CsiSource::driver).orElse("its plugin");
    return Wait.on(claim.ref(), "status.capacity")
        .until("driver %s and its resizer have made its volume larger".formatted(driver))
        .tell(
            Notice.normal(
                claim.ref(),
                Reasons.EXTERNAL_EXPANDING,
                "waiting for an external controller to expand this PVC"));
  }
}
