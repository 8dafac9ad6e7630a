package dev.berth.controller.statefulset;

import dev.berth.controller.workload.History;
import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.PodState;
import dev.berth.controller.workload.StateRecord;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect;
import dev.berth.controller.workload.WorkloadEffect.Birth;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.loop.Wait;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Labels;
import dev.berth.kube.value.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/// The next step of one StatefulSet.
final class SetDecision {
  /// How long a pod's end, and its start, may take before somebody should look.
  private static final Duration USUAL = Duration.ofMinutes(2);

  private final Identity identity;
  private final Workload set;
  private final Snapshot objects;
  private final Instant now;
  private final History history;
  private final Replicas replicas;
  private final SetPods pods;
  private final SetClaims claims;

  private SetDecision(Workload set, Snapshot objects, Instant now) {
    this.identity = Identity.of(set);
    this.set = set;
    this.objects = objects;
    this.now = now;
    this.history = History.of(set, objects);
    this.replicas = Replicas.of(identity, objects);
    this.pods = new SetPods(identity);
    this.claims = new SetClaims(identity, objects);
  }

  static SetDecision of(Workload set, Snapshot objects, Instant now) {
    return new SetDecision(set, objects, now);
  }

  Step step() {
    var first =
        Owned.correction(objects, set, pod -> identity.ordinal(pod).isPresent())
            .or(history::missing);
    if (first.isPresent()) return new Act(first.get());
    var status = new SetStatus(set, history, replicas, minReady(), now);
    // Before anything that may fail again and again: it is what people look at meanwhile.
    var told = status.changes();
    if (told.isPresent())
      return new Act(
          new Change(set.resource(), Revision.of(set.meta()), told.get(), Change.Part.STATUS));
    return handovers()
        .<Step>map(Act::new)
        .or(() -> filled(status.current()))
        .or(this::scaledDown)
        .or(this::rolled)
        .or(() -> history.forget(needed(status.current())).map(Act::new))
        .orElseGet(() -> claims.conflict().map(Settled::but).orElseGet(Settled::new));
  }

  /// STS-03, STS-04: whose claims are, before anything comes or goes.
  private Optional<WorkloadEffect> handovers() {
    return replicas.all().stream()
        .flatMap(it -> claims.handover(it.pod(), it.ordinal()).stream())
        .findFirst();
  }

  /// Pods and claims that are missing. In order, each has to be there, and ready, before the next
  /// one is made (STS-06).
  private Optional<Step> filled(StateRecord current) {
    var births = new ArrayList<Birth>();
    var waits = new ArrayList<Step>();
    for (int ordinal : identity.ordinals().toArray()) {
      var pod = replicas.at(ordinal);
      if (pod.isEmpty()) {
        var hindrance = claims.hindrance(ordinal, pods);
        if (hindrance.isPresent()) waits.add(hindrance.get());
        else {
          births.addAll(claims.missing(ordinal, pods));
          births.add(pods.pod(ordinal, record(ordinal, current)));
        }
      } else if (!pod.get().meta().deleting() && pod.get().finished()) {
        return Optional.of(new Act(new Remove(List.of(pods.end(pod.get())))));
      } else {
        // STS-01: its claim may have gone before the pod found it.
        if (!pod.get().meta().deleting() && pod.get().phase() == Pod.Phase.PENDING)
          births.addAll(claims.missing(ordinal, pods));
        if (isOrdered() || pod.get().meta().deleting())
          untilUp(pod.get(), ordinal).ifPresent(waits::add);
      }
      if (isOrdered() && !(births.isEmpty() && waits.isEmpty())) break;
    }
    if (!births.isEmpty()) return Optional.of(new Act(new Make(births)));
    // Side by side, what is in one pod's way is not in another's.
    return isOrdered() || replicas.condemned().isEmpty()
        ? waits.stream().findFirst()
        : Optional.empty();
  }

  /// Pods of ordinals that are not wanted any more go, the last first; in order, one after the
  /// other.
  private Optional<Step> scaledDown() {
    var condemned = replicas.condemned();
    if (condemned.isEmpty()) return Optional.empty();
    if (!isOrdered()) {
      var deaths =
          condemned.stream()
              .map(Replicas.Numbered::pod)
              .filter(pod -> !pod.meta().deleting())
              .map(pods::death)
              .toList();
      return Optional.of(
          deaths.isEmpty() ? untilGone(condemned.getFirst().pod()) : new Act(new Remove(deaths)));
    }
    var last = condemned.getFirst().pod();
    return Optional.of(
        last.meta().deleting() ? untilGone(last) : new Act(new Remove(List.of(pods.death(last)))));
  }

  /// Pods of another template go, the last first, and no more at once than may be missing.
  private Optional<Step> rolled() {
    var strategy = set.spec().path("updateStrategy");
    if (Json.text(strategy, "type").equals("OnDelete")) return Optional.empty();
    var rolling = strategy.path("rollingUpdate");
    int spare = SetStatus.unavailable(rolling.path("maxUnavailable"), set.replicas());
    Optional<Step> wait = Optional.empty();
    int last = identity.first() + set.replicas() - 1;
    for (int ordinal = last; ordinal >= identity.first() + partition(); ordinal--) {
      var pod = replicas.at(ordinal).orElseThrow();
      if (!pod.meta().deleting() && !isOf(pod, history.update()))
        return Optional.of(new Act(new Remove(List.of(pods.death(pod)))));
      var up = untilUp(pod, ordinal);
      if (up.isEmpty()) continue;
      if (wait.isEmpty()) wait = up;
      if (--spare <= 0) return wait;
    }
    return wait;
  }

  private static boolean isOf(Pod pod, StateRecord record) {
    return record.meta().name().equals(pod.meta().labels().get(Labels.REVISION_HASH));
  }

  /// What a pod that is missing is made by: below the partition what the others there are.
  private StateRecord record(int ordinal, StateRecord current) {
    var strategy = set.spec().path("updateStrategy");
    return Json.text(strategy, "type").equals("RollingUpdate")
            && ordinal < identity.first() + partition()
        ? current
        : history.update();
  }

  private HashSet<String> needed(StateRecord current) {
    var needed = new HashSet<String>();
    needed.add(current.meta().name());
    needed.add(history.update().meta().name());
    for (var each : replicas.all()) {
      var name = each.pod().meta().labels().get(Labels.REVISION_HASH);
      if (name != null) needed.add(name);
    }
    return needed;
  }

  private boolean isOrdered() {
    return !Json.text(set.spec(), "podManagementPolicy").equals("Parallel");
  }

  private Duration minReady() {
    return Duration.ofSeconds(set.spec().path("minReadySeconds").asLong());
  }

  /// Empty: it is ready, and has been for long enough.
  private Optional<Step> untilUp(Pod pod, int ordinal) {
    if (pod.meta().deleting()) return Optional.of(untilGone(pod));
    var available = PodState.availableAt(pod, minReady());
    if (available.isEmpty()) return Optional.of(untilReady(pod, ordinal));
    if (available.get().isAfter(now)) return Optional.of(untilAvailable(pod, available.get()));
    return Optional.empty();
  }

  private Wait untilReady(Pod pod, int ordinal) {
    var wait =
        Wait.on(pod.ref(), "status.conditions")
            .since(pod.meta().created())
            .until("pod %s runs and is ready".formatted(pod.meta().name()));
    if (!isOf(pod, history.update()) && ordinal >= identity.first() + partition())
      return wait.remedy(
          "it was made by a former template: if it cannot become ready, delete it, and it comes"
              + " back by the present one: kubectl delete pod %s -n %s"
                  .formatted(pod.meta().name(), pod.meta().namespace()));
    return wait.ifLate(USUAL, "see why pod %s is not ready".formatted(pod.meta().name()));
  }

  private int partition() {
    return set.spec().path("updateStrategy").path("rollingUpdate").path("partition").asInt();
  }

  private Wait untilAvailable(Pod pod, Instant available) {
    return Wait.on(pod.ref(), "status.conditions")
        .since(PodState.readySince(pod).orElseThrow())
        .until(
            "pod %s has been ready for %d s (spec.minReadySeconds)"
                .formatted(pod.meta().name(), minReady().toSeconds()))
        .lookAgainAt(available);
  }

  /// STS-07: whatever has become of its node, nobody else gets its name and its volumes before it
  /// is gone.
  private Wait untilGone(Pod pod) {
    return Wait.on(pod.ref(), "metadata.deletionTimestamp")
        .since(pod.meta().deleted().orElseThrow())
        .until("pod %s, which is being deleted, is gone".formatted(pod.meta().name()))
        .ifLate(
            USUAL,
            "see what holds pod %s; only if its node is switched off: taint that with"
                    .formatted(pod.meta().name())
                + " node.kubernetes.io/out-of-service=nodeshutdown:NoExecute");
  }
}
