package dev.berth.controller.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.controller.workload.Owned;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Death;
import dev.berth.controller.workload.WorkloadEffect.Make;
import dev.berth.controller.workload.WorkloadEffect.Remove;
import dev.berth.kube.api.Revision;
import dev.berth.kube.cache.Snapshot;
import dev.berth.kube.event.Notice;
import dev.berth.kube.loop.Act;
import dev.berth.kube.loop.Settled;
import dev.berth.kube.loop.Step;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.value.Json;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The next step of one Deployment.
final class RollOut {
  private final Workload deployment;
  private final Snapshot objects;
  private final Instant now;
  private final ReplicaSetsOf sets;

  RollOut(Workload deployment, Snapshot objects, Instant now) {
    this.deployment = deployment;
    this.objects = objects;
    this.now = now;
    this.sets = ReplicaSetsOf.of(deployment, objects);
  }

  Step step() {
    var correction = sets.correction(objects);
    if (correction.isPresent()) return new Act(correction.get());
    var marked = sets.marked();
    if (marked.isPresent()) return new Act(marked.get());
    var status = new DeploymentStatus(deployment, sets, now);
    var told = status.changes();
    if (told.isPresent())
      return new Act(
          new Change(
              deployment.resource(),
              Revision.of(deployment.meta()),
              told.get(),
              Change.Part.STATUS));
    var next = deployment.spec().path("paused").asBoolean() ? paused() : scaled();
    return next.or(this::forgotten)
        .<Step>map(Act::new)
        .orElseGet(() ->
            status.deadline().map(at -> new Settled().lookAgainAt(at)).orElseGet(Settled::new));
  }

  /// Nothing is rolled out; but who asks for more pods gets them, of what there is.
  private Optional<WorkloadEffect> paused() {
    var largest =
        sets.all().stream()
            .filter(set -> set.replicas() > 0)
            .max(Comparator.comparingInt(Workload::replicas))
            .or(sets::present);
    if (largest.isEmpty()) return Optional.empty();
    int others = sets.total() - largest.get().replicas();
    return scale(largest.get(), Math.max(0, deployment.replicas() - others));
  }

  private Optional<WorkloadEffect> scaled() {
    return Json.text(deployment.spec().path("strategy"), "type").equals("Recreate")
        ? recreated()
        : rolled();
  }

  /// All of the old ones go before the first new one comes.
  private Optional<WorkloadEffect> recreated() {
    var old = sets.old().stream().filter(set -> set.replicas() > 0).findFirst();
    if (old.isPresent()) return scale(old.get(), 0);
    boolean gone =
        sets.old().stream()
            .flatMap(set -> Owned.pods(objects, set).stream())
            .allMatch(pod -> pod.finished());
    if (!gone) return Optional.empty();
    return renewed(deployment.replicas());
  }

  /// The set of the present template, with so many replicas.
  private Optional<WorkloadEffect> renewed(int replicas) {
    var present = sets.present();
    if (present.isPresent()) return scale(present.get(), replicas);
    return Optional.of(new Make(List.of(sets.birth(replicas))));
  }

  private Optional<WorkloadEffect> rolled() {
    int wanted = deployment.replicas();
    var rolling = deployment.spec().path("strategy").path("rollingUpdate");
    int surge = part(rolling.path("maxSurge"), wanted, true);
    int unavailable = part(rolling.path("maxUnavailable"), wanted, false);
    if (surge == 0 && unavailable == 0) unavailable = 1;
    int has = sets.present().map(Workload::replicas).orElse(0);
    int room = wanted + surge - sets.all().stream().mapToInt(RollOut::living).sum();
    var up = renewed(has > wanted ? wanted : Math.min(wanted, has + Math.max(0, room)));
    if (up.isPresent()) return up;
    return shrunk(wanted - Math.min(unavailable, wanted));
  }

  /// Old sets give up what nobody would miss: first what is not available, then what is not needed.
  private Optional<WorkloadEffect> shrunk(int least) {
    var present = sets.present().orElseThrow();
    int fresh = present.replicas() - available(present);
    int spare = sets.total() - least - fresh;
    if (spare <= 0) return Optional.empty();
    for (var old : sets.old()) {
      int broken = old.replicas() - available(old);
      if (old.replicas() > 0 && broken > 0)
        return scale(old, old.replicas() - Math.min(broken, spare));
    }
    int available = sets.all().stream().mapToInt(RollOut::available).sum();
    int surplus = available - least;
    if (surplus <= 0) return Optional.empty();
    for (var old : sets.old())
      if (old.replicas() > 0) return scale(old, old.replicas() - Math.min(surplus, old.replicas()));
    return Optional.empty();
  }

  /// How many pods it has or is to have: one that it is to lose may be there still.
  private static int living(Workload set) {
    return Math.max(set.replicas(), set.status().path("replicas").asInt());
  }

  /// How many of the pods that it is to have are available.
  private static int available(Workload set) {
    return Math.min(set.replicas(), set.status().path("availableReplicas").asInt());
  }

  private Optional<WorkloadEffect> scale(Workload set, int replicas) {
    if (set.replicas() == replicas) return Optional.empty();
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("spec").put("replicas", replicas);
    var words =
        "Scaled %s replica set %s from %d to %d"
            .formatted(
                replicas > set.replicas() ? "up" : "down",
                set.meta().name(),
                set.replicas(),
                replicas);
    return Optional.of(
        new Change(
            set.resource(),
            Revision.of(set.meta()),
            body,
            Change.Part.OBJECT,
            Optional.of(Notice.normal(deployment.ref(), Reasons.SCALING_REPLICA_SET, words))));
  }

  /// Empty sets beyond those that `kubectl rollout undo` may want, once all is rolled out.
  private Optional<WorkloadEffect> forgotten() {
    if (!DeploymentStatus.isComplete(deployment, sets)) return Optional.empty();
    var empty =
        sets.old().stream()
            .filter(set -> set.replicas() == 0 && set.status().path("replicas").asInt() == 0)
            .filter(set -> !set.meta().deleting())
            .sorted(Comparator.comparingLong(ReplicaSetsOf::number))
            .toList();
    int surplus = empty.size() - deployment.spec().path("revisionHistoryLimit").asInt(10);
    if (surplus <= 0) return Optional.empty();
    return Optional.of(
        new Remove(
            empty.subList(0, surplus).stream()
                .map(set -> new Death(set.ref(), Optional.empty(), Optional.empty()))
                .toList()));
  }

  private static int part(JsonNode share, int all, boolean up) {
    if (share.isIntegralNumber()) return share.asInt();
    if (!share.isTextual()) return 0;
    int percent = Integer.parseInt(share.asText().replaceFirst("%$", ""));
    return up ? Math.ceilDiv(percent * all, 100) : percent * all / 100;
  }
}
