package dev.berth.sidecar.health;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Claim;
import dev.berth.kube.model.Node;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Volume;
import dev.berth.kube.object.Lookup.Found;
import dev.berth.kube.object.Lookup.Missing;
import dev.berth.kube.object.ObjectKey;
import dev.berth.volume.PodClaim;
import dev.berth.volume.Translation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Tells claims of nodes that failed with pods that use them, and of their recovery (HM-05). It
/// sees pods as they are now, so that it does not matter when they were placed, and a node that has
/// gone is one that failed (HM-14).
record NodeDecision(String driver) {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  Step decide(View view, String name) {
    return switch (view.node(name)) {
      case Missing<Node> _ -> failed(view, name);
      case Found(var node) when node.ready() -> recovered(view, name);
      case Found(var node) when node.terminated() -> failed(view, name);
      case Found(var node) when node.unready() -> unready(view, name);
      case Found<Node> _ -> new Settled(); // it has said nothing of itself yet
    };
  }

  /// Counted from when it is first seen so: what a node that nobody hears of says of itself is old.
  private Step unready(View view, String node) {
    var since = view.survey().unready().get(node);
    if (since == null) return new Act(new HealthEffect.NoteUnready(node));
    var over = since.plus(PATIENCE);
    return over.isAfter(view.now()) ? new Settled().lookAgainAt(over) : failed(view, node);
  }

  /// One claim after the other, each once.
  private Step failed(View view, String node) {
    var told = view.survey().nodes().getOrDefault(node, Set.of());
    for (var claim : claims(view, node).entrySet()) {
      if (told.contains(claim.getKey())) continue;
      var all = new HashSet<>(told);
      all.add(claim.getKey());
      var found = view.claim(claim.getKey()).orElseThrow();
      return new Act(
          new HealthEffect.TellNodeFailed(
              node, found.ref(), message(found, claim.getValue(), node), all));
    }
    return new Settled();
  }

  private Step recovered(View view, String node) {
    var told = view.survey().nodes().getOrDefault(node, Set.of());
    if (told.isEmpty())
      return view.survey().unready().containsKey(node)
          ? new Act(new HealthEffect.NoteReady(node))
          : new Settled();
    var claims =
        claims(view, node).keySet().stream()
            .flatMap(key -> view.claim(key).stream())
            .map(Claim::ref)
            .toList();
    return new Act(new HealthEffect.TellNodeRecovered(node, claims));
  }

  /// The claims on our volumes that pods on the node use, with these pods.
  private Map<ObjectKey, List<String>> claims(View view, String node) {
    var claims = new TreeMap<ObjectKey, List<String>>();
    for (var pod : view.podsOn(node))
      for (var used : PodClaim.of(pod))
        if (isOurs(view, pod, used))
          claims.computeIfAbsent(used.key(), _ -> new ArrayList<>()).add(pod.meta().name());
    return claims;
  }

  private boolean isOurs(View view, Pod pod, PodClaim used) {
    var claim = view.claim(used.key());
    if (claim.isEmpty() || !used.usable(pod, claim.get())) return false;
    return view.volumesOf(used.key()).stream()
        .filter(volume -> volume.phase() == Volume.Phase.BOUND)
        .flatMap(volume -> Translation.NONE.name(volume).stream())
        .anyMatch(name -> name.driver().equals(driver));
  }

  private static String message(Claim claim, List<String> pods, String node) {
    return "Pods: [ %s ] consuming PVC: %s in namespace: %s are now on a failed node: %s"
        .formatted(
            pods.stream().sorted().collect(Collectors.joining(" ")),
            claim.meta().name(),
            claim.meta().namespace(),
            node);
  }
}
