package dev.berth.node.pod;

import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.model.Pod;
import dev.berth.node.pod.local.Local;
import dev.berth.node.pod.local.Run;
import dev.berth.node.pod.start.ContainerTemplate;
import dev.berth.volume.Indexes;
import java.util.stream.Collectors;

/// What must run on a node if the statuses of its pods tell the truth: for explanations, which see
/// the API and no machine.
public final class PresumedRuns {
  private PresumedRuns() {}

  public static Local on(String node, Snapshot objects) {
    var local = Local.NOTHING;
    for (var pod : objects.by(Indexes.PODS_BY_NODE, node)) local = with(local, pod);
    return local;
  }

  /// Whose pod is to go was asked to end.
  private static Local with(Local local, Pod pod) {
    var with = local;
    for (var container : ContainerTemplate.of(pod).toList())
      for (var run : History.told(pod, container)) with = with.with(run);
    if (pod.meta().deleted().isEmpty()) return with;
    var running =
        with.runs(pod.meta().uid()).stream()
            .filter(Run::runs)
            .map(Run::id)
            .collect(Collectors.toSet());
    return with.stopping(running, pod.meta().deleted().get());
  }
}
