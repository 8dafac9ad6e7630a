package dev.berth.controller.scheduler;

import dev.berth.controller.Outdated;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.fact.Source;
import dev.berth.kube.fact.Told;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.util.function.BiPredicate;
import java.util.function.Supplier;

/// Gives places to pods, one pod at a time. Many pods are decided about at the same time; here each
/// learns of the others before it takes what they have taken: the last place of a node, a claim for
/// one pod only.
///
/// Losing it with the process does no harm: what was written shows in the next snapshot.
final class Assumptions {
  private final Told<Assumed> assumed = new Told<>(Assumed.TOPIC);

  Source<Assumed> source() {
    return assumed;
  }

  /// Takes the place for a pod, if it is still to be had beside the others.
  ///
  /// @param latest what the caches show now. It is asked while no other pod takes a place: with an
  ///   older snapshot a pod would be overlooked that was placed meanwhile and, since newer ones
  ///   show it, forgotten here
  /// @param at when that was decided
  /// @throws dev.berth.kube.api.ApiException.LostRace if it is not
  void take(
      Revision seen,
      String node,
      Instant at,
      Supplier<Snapshot> latest,
      BiPredicate<Snapshot, Assumed> fits) {
    assumed.change(before -> {
      var objects = latest.get();
      var others = before.unshownBy(objects);
      var pod = objects.get(Kinds.POD, seen.key()).found();
      if (pod.isEmpty() || !fits.test(objects, others))
        throw Outdated.because("node \"%s\" does not suit any more".formatted(node));
      return others.with(pod.get(), node, at).few(objects);
    });
  }

  /// The pod has not got its node after all.
  void giveBack(ObjectKey pod) {
    assumed.change(before -> before.without(pod));
  }
}
