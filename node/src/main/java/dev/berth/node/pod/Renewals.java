package dev.berth.node.pod;

import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Step;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.PodVolume.Source;
import dev.berth.node.pod.PodEffect.Renew;
import dev.berth.node.pod.local.Run;
import dev.berth.node.pod.start.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/// When the files of a pod's volumes are brought up to date: tokens before they end, and what
/// ConfigMaps, Secrets and the pod itself say by now (NRUN-05).
final class Renewals {
  /// A kubelet syncs each pod once a minute.
  private static final Duration PERIOD = Duration.ofMinutes(1);

  private Renewals() {}

  /// What is to be done while nothing else is; else the step, which looks again when it is time.
  static Step before(Step step, PodView view, Pod pod) {
    if (step instanceof Act) return step;
    var due = due(view, pod);
    if (due.isEmpty()) return step;
    if (!view.now().isBefore(due.get())) return new Act(new Renew(pod));
    return Probes.lookAgain(step, due.get());
  }

  /// @return empty: there are none, or nothing runs that could read them
  private static Optional<Instant> due(PodView view, Pod pod) {
    var uid = pod.meta().uid();
    if (!view.agent().itself() || !showsContent(pod)) return Optional.empty();
    var started =
        view.local().runs(uid).stream().filter(Run::runs).map(run -> run.state().started());
    var renewed = Stream.ofNullable(view.local().renewed().get(uid));
    var runs = started.max(Instant::compareTo);
    return runs.map(since ->
        Stream.concat(Stream.of(since), renewed)
            .max(Instant::compareTo)
            .orElse(since)
            .plus(PERIOD));
  }

  private static boolean showsContent(Pod pod) {
    return pod.volumes().stream()
        .anyMatch(volume ->
            volume.source() instanceof Source.Local(var type, _) && Limits.CONTENT.contains(type));
  }
}
