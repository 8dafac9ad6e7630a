package dev.berth.controller.scheduler;

import dev.berth.controller.PodClaim;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.LabelSelector;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Requirement;
import dev.berth.kube.model.StorageClass;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// A pod that is to be placed, and what its claims come to whichever node is looked at: worked out
/// once for a look, and not once for each of thousands of nodes. Not safe for threads.
final class Wanted {
  private final View view;
  private final Pod pod;
  private final List<Claim> claims;
  private final Optional<Refusal> claimInUse;
  private final Map<String, Set<String>> volumes = new HashMap<>();
  private final Map<Claim, Set<String>> roomy = new HashMap<>();

  private Wanted(View view, Pod pod, List<Claim> claims) {
    this.view = view;
    this.pod = pod;
    this.claims = claims;
    this.claimInUse = VolumeRules.claimInUse(view, pod);
  }

  static Wanted by(View view, Pod pod) {
    return new Wanted(
        view,
        pod,
        PodClaim.of(pod).stream()
            .flatMap(used -> view.claim(used.key()).found().stream())
            .toList());
  }

  View view() {
    return view;
  }

  Pod pod() {
    return pod;
  }

  /// Those of its claims that exist.
  List<Claim> claims() {
    return claims;
  }

  /// Why no node does as long as another pod has one of its claims.
  Optional<Refusal> claimInUse() {
    return claimInUse;
  }

  /// What its claims count as for a driver's limit of volumes.
  Set<String> volumes(String driver) {
    return volumes.computeIfAbsent(
        driver,
        name ->
            claims.stream()
                .flatMap(claim -> AttachLimit.volume(view, claim, name).stream())
                .collect(Collectors.toUnmodifiableSet()));
  }

  /// Whether the driver of the class reports room for the claim on the node (SCHED-15).
  boolean hasRoom(Claim claim, StorageClass storageClass, Node node) {
    return roomy
        .computeIfAbsent(claim, it -> nodesWithRoom(it, storageClass))
        .contains(node.meta().name());
  }

  private Set<String> nodesWithRoom(Claim claim, StorageClass storageClass) {
    var nodes = new HashSet<String>();
    for (var capacity : view.capacities(storageClass))
      if (capacity.fits(claim.request()))
        capacity.topology().ifPresent(topology -> addMatching(topology, nodes));
    return nodes;
  }

  /// A driver reports room for each place, thousands of them perhaps: only the nodes of the place
  /// are looked at, where the selector lets them be found.
  private void addMatching(LabelSelector topology, Set<String> nodes) {
    for (var node : candidates(topology))
      if (topology.matches(node.meta().labels())) nodes.add(node.meta().name());
  }

  private Collection<Node> candidates(LabelSelector topology) {
    return topology.requirements().stream()
        .filter(it -> it.operator() == Requirement.Operator.IN && it.values().size() == 1)
        .findFirst()
        .map(it -> view.nodesLabelled(it.key(), it.values().getFirst()))
        .orElseGet(view::nodes);
  }
}
