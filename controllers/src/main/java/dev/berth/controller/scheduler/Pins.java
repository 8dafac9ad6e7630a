package dev.berth.controller.scheduler;

import dev.berth.controller.scheduler.Assumed.Placed;
import dev.berth.kube.cache.Index;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Users;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Pods without a node that have their place on one all the same: a volume is being made for them
/// there, and they could not go anywhere else (SCHED-16). Read from the objects, so that it is not
/// forgotten with the process.
///
/// @param counted pods that have a place in another way
/// @param before who is looking; of those that have their place where its own is, only those that
///   come before it count, or two of them would keep one another from the last place. Empty: all
///   count
/// @param own the node where a place is kept for whoever is looking: it was given beside all that
///   were there, so those that are pinned there need not be counted again
record Pins(Snapshot objects, Set<ObjectKey> counted, Optional<Pod> before, Optional<String> own) {
  private static final Index<Claim> CLAIMS_BY_SELECTED_NODE =
      new Index<>(
          Kinds.CLAIM,
          "the node that its volume is being made for",
          claim -> claim.fullyBound() ? List.of() : claim.selectedNode().stream().toList());

  private static final Comparator<Pod> ORDER =
      Comparator.<Pod, Instant>comparing(pod -> pod.meta().created())
          .thenComparing(pod -> pod.meta().key());

  Pins {
    counted = Set.copyOf(counted);
  }

  /// Nobody is looking.
  static Pins all(Snapshot objects) {
    return new Pins(objects, Set.of(), Optional.empty(), Optional.empty());
  }

  /// Those on this node that have a place there beside all others: one that would not fit, since
  /// somebody has put a pod there by hand, keeps nobody out.
  List<Pod> on(Host host) {
    var claims = objects.by(CLAIMS_BY_SELECTED_NODE, host.name());
    if (claims.isEmpty() || own.filter(host.name()::equals).isPresent()) return List.of();
    var fitting = new ArrayList<Pod>();
    var next = host;
    for (var pod : first(claims)) {
      if (counted.contains(pod.meta().key()) || !fits(pod, next)) continue;
      fitting.add(pod);
      next = next.with(1, pod);
    }
    return fitting;
  }

  private List<Pod> first(Collection<Claim> claims) {
    var pods =
        claims.stream()
            .flatMap(new Users(objects)::of)
            .filter(View::withoutNode)
            .filter(this::keepsItsPlace)
            .distinct()
            .sorted(ORDER)
            .toList();
    return before
        .map(pods::indexOf)
        .filter(place -> place >= 0)
        .map(place -> pods.subList(0, place))
        .orElse(pods);
  }

  /// Not from one of higher priority, and not for ever: who has waited too long for a volume gives
  /// way to all (SCHED-17, SCHED-48).
  private boolean keepsItsPlace(Pod pod) {
    return !Pursuit.isLate(pod)
        && before.filter(it -> Preemption.priority(pod) < Preemption.priority(it)).isEmpty();
  }

  private static boolean fits(Pod pod, Host host) {
    return pod.schedulingGates().isEmpty()
        && NodeRules.refusal(pod, host.existing()).isEmpty()
        && RoomRules.fits(Amounts.of(pod), host);
  }

  /// Whether the objects show that the pod has its place there.
  static boolean shows(Placed place, Snapshot objects) {
    return PodClaim.of(place.pod()).stream()
        .flatMap(used ->
            objects.get(Kinds.CLAIM, used.key()).found().stream()
                .filter(claim -> used.usable(place.pod(), claim)))
        .anyMatch(claim ->
            !claim.fullyBound() && claim.selectedNode().filter(place.node()::equals).isPresent());
  }
}
