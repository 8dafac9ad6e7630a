package dev.berth.node.pod;

import dev.berth.kube.model.Pod;
import dev.berth.kube.value.Json;
import dev.berth.node.pod.local.ProbeState.Verdict;
import dev.berth.node.pod.local.Probing;
import dev.berth.node.pod.local.Probing.Kind;
import dev.berth.node.runtime.ContainerId;

/// How a container does, as its probes say.
///
/// @param started its postStart hook is over, and its startup probe has succeeded
/// @param ready its readiness probe succeeds
record Health(boolean started, boolean ready) {
  private static final Health NONE = new Health(false, false);

  /// A run that does not end because the agent does is not unready because of that either: until
  /// its probes say otherwise, it is what its status says (NRUN-12).
  static Health of(PodView view, Pod pod, History history) {
    if (!history.running()) return NONE;
    var id = history.latest().orElseThrow().id();
    if (view.local().hooked().contains(id)) return NONE;
    boolean started = passes(view, pod, history, new Probing(id, Kind.STARTUP), "started");
    return new Health(
        started, started && passes(view, pod, history, new Probing(id, Kind.READINESS), "ready"));
  }

  private static boolean passes(
      PodView view, Pod pod, History history, Probing probing, String field) {
    if (!probing.kind().in(history.container().spec()).isObject()) return true;
    return switch (view.local().probe(probing).verdict()) {
      case SUCCESS -> true;
      case FAILURE -> false;
      case Verdict _ -> told(pod, probing.run(), field);
    };
  }

  private static boolean told(Pod pod, ContainerId id, String field) {
    for (var list : new String[] {"containerStatuses", "initContainerStatuses"})
      for (var status : pod.status().path(list))
        if (Json.text(status, "containerID").equals(id.url()))
          return status.path(field).asBoolean();
    return false;
  }
}
