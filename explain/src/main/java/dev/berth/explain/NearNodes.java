package dev.berth.explain;

import dev.berth.controller.scheduler.Scheduler;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.object.Ref;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Nodes, and by what each of them fails for a pod: those that fail by its volumes first (XPL-09).
final class NearNodes {
  private static final int MOST = 5;

  private NearNodes() {}

  /// In sentences. Empty: there is one node only, of which the wait itself tells, or nodes are not
  /// what it fails by.
  static List<String> of(Ref subject, Snapshot objects, Instant now) {
    var refusals =
        subject
            .as(Kinds.POD)
            .flatMap(pod -> Scheduler.refusals(objects, pod, now).stream())
            .toList();
    if (refusals.size() < 2) return List.of();
    var sentences = new ArrayList<String>();
    for (var each : refusals.subList(0, Math.min(MOST, refusals.size())))
      sentences.add("%s does not do: %s".formatted(each.node(), String.join(", ", each.reasons())));
    int more = refusals.size() - sentences.size();
    if (more > 0) sentences.add("nor do %d other nodes".formatted(more));
    return sentences;
  }
}
