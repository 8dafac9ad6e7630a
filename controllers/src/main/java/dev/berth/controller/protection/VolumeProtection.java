package dev.berth.controller.protection;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Commands;
import dev.berth.kube.model.Volume;
import dev.berth.kube.model.Volume.ClaimRef;
import dev.berth.kube.model.Volume.ReclaimPolicy;
import dev.berth.kube.name.Finalizers;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Ref;
import dev.berth.kube.object.Resources;
import java.util.Optional;

/// Keeps one volume as long as a claim holds it (PROT-07): while it is Bound, and also while the
/// claim that it names by uid lives, so that a volume cannot vanish half-way through binding.
final class VolumeProtection {
  Step decide(View view, ObjectKey key) {
    return switch (view.volume(key)) {
      case Missing<Volume> _ -> new Settled();
      case Found<Volume>(var volume) when volume.meta().deleting() -> release(view, volume);
      case Found<Volume>(var volume) when volume.meta().hasFinalizer(Finalizers.PV_PROTECTION) ->
          new Settled();
      case Found<Volume>(var volume) -> new Act(ProtectionEffect.protect(volume));
    };
  }

  private static Step release(View view, Volume volume) {
    if (!volume.meta().hasFinalizer(Finalizers.PV_PROTECTION)) return new Settled();
    var claim = volume.claim().filter(ref -> !ref.uid().isEmpty());
    if (volume.phase() == Volume.Phase.BOUND || claim.filter(ref -> lives(view, ref)).isPresent())
      return untilClaimGoes(volume, claim);
    return new Act(ProtectionEffect.release(volume));
  }

  private static boolean lives(View view, ClaimRef reserved) {
    return view.claim(reserved.key()).found().filter(reserved::names).isPresent();
  }

  // D11, R11
  private static Wait untilClaimGoes(Volume volume, Optional<ClaimRef> claim) {
    var sentence =
        claim.isPresent()
            ? Wait.on(Ref.of(Resources.CLAIMS, claim.get().key()))
            : Wait.on(volume.ref(), "status.phase");
    var wait =
        sentence.since(volume.meta().deleted().orElseThrow()).until("no claim holds it any more");
    var delete =
        claim
            .map(it -> "delete its claim: " + Commands.delete(Ref.of(Resources.CLAIMS, it.key())))
            .orElse("delete its claim");
    return volume.reclaimPolicy() == ReclaimPolicy.RETAIN
        ? wait.remedy(delete + " (what stores its data stays: its policy is Retain)")
        : wait.danger(Stake.of(volume), delete);
  }
}
