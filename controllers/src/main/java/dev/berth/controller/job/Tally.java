package dev.berth.controller.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect;
import dev.berth.controller.workload.WorkloadEffect.Change;
import dev.berth.controller.workload.WorkloadEffect.Change.Part;
import dev.berth.kube.api.Revision;
import dev.berth.kube.model.Pod;
import dev.berth.kube.model.Pod.Phase;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Which pods of a Job have ended, counted once each though pods vanish and writes fail: first its
/// uid is noted in the status, then its finalizer goes, then the note becomes a count.
record Tally(Workload job, JobPods forms, List<Pod> pods) {
  private static final String NOTES = "uncountedTerminatedPods";

  static boolean hasSucceeded(Pod pod) {
    return pod.phase() == Phase.SUCCEEDED;
  }

  /// Whether it is not going to succeed any more: it has failed, or somebody deletes it.
  static boolean hasFailed(Pod pod) {
    return pod.phase() == Phase.FAILED || (pod.meta().deleting() && !hasSucceeded(pod));
  }

  static boolean isTracked(Pod pod) {
    return pod.meta().hasFinalizer(JobPods.TRACKING);
  }

  private List<String> noted(String outcome) {
    return Json.list(job.status().path(NOTES).path(outcome), JsonNode::asText);
  }

  private boolean isNoted(Pod pod) {
    var uid = pod.meta().uid();
    return noted("succeeded").contains(uid) || noted("failed").contains(uid);
  }

  /// The pods that go on.
  List<Pod> active() {
    return pods.stream().filter(pod -> !hasSucceeded(pod) && !hasFailed(pod)).toList();
  }

  /// How many have succeeded, those that are only noted included.
  int succeeded() {
    return forms.isIndexed()
        ? indexes().size()
        : job.status().path("succeeded").asInt() + noted("succeeded").size();
  }

  int failed() {
    return job.status().path("failed").asInt() + noted("failed").size();
  }

  /// The completions that are done, of a Job that numbers them.
  TreeSet<Integer> indexes() {
    var indexes = new TreeSet<Integer>();
    for (var range : Json.text(job.status(), "completedIndexes").split(",", -1)) {
      if (range.isEmpty()) continue;
      var ends = range.split("-", 2);
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int i = Integer.parseInt(ends[0]); i <= last; i++) indexes.add(i);
    }
    int all = job.spec().path("completions").asInt();
    for (var pod : pods)
      if (hasSucceeded(pod))
        forms.index(pod).stream().filter(index -> index < all).forEach(indexes::add);
    return indexes;
  }

  /// The next step of the count; empty: all is counted.
  Optional<WorkloadEffect> step() {
    var ended =
        pods.stream().filter(pod -> isTracked(pod) && (hasSucceeded(pod) || hasFailed(pod)));
    var notes = new ArrayList<Pod>();
    for (var pod : ended.toList()) {
      if (isNoted(pod)) return Optional.of(untrack(Revision.of(pod.meta())));
      notes.add(pod);
    }
    var counted = count();
    if (counted.isPresent()) return counted;
    return notes.isEmpty() ? Optional.empty() : Optional.of(note(notes));
  }

  static WorkloadEffect untrack(Revision pod) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata")
        .putArray("$deleteFromPrimitiveList/finalizers")
        .add(JobPods.TRACKING);
    return new Change(Resources.PODS, pod, body, Part.LISTS);
  }

  private WorkloadEffect note(List<Pod> ended) {
    var status = JsonNodeFactory.instance.objectNode();
    var notes = status.putObject(NOTES);
    for (var outcome : List.of("succeeded", "failed")) {
      var uids = notes.putArray(outcome);
      noted(outcome).forEach(uids::add);
      ended.stream()
          .filter(pod -> hasSucceeded(pod) == outcome.equals("succeeded"))
          .forEach(pod -> uids.add(pod.meta().uid()));
    }
    if (forms.isIndexed()) status.put("completedIndexes", ranges(indexes()));
    return write(status);
  }

  /// Notes of pods whose finalizer has gone, or that have gone themselves, become counts.
  private Optional<WorkloadEffect> count() {
    var tracked = pods.stream().filter(Tally::isTracked).map(pod -> pod.meta().uid()).toList();
    var status = JsonNodeFactory.instance.objectNode();
    var notes = JsonNodeFactory.instance.objectNode();
    boolean any = false;
    for (var outcome : List.of("succeeded", "failed")) {
      var uids = noted(outcome);
      var kept = notes.putArray(outcome);
      uids.stream().filter(tracked::contains).forEach(kept::add);
      int done = uids.size() - kept.size();
      any |= done > 0;
      if (done > 0) status.put(outcome, job.status().path(outcome).asInt() + done);
    }
    if (!any) return Optional.empty();
    status.set(NOTES, notes);
    if (forms.isIndexed()) status.put("succeeded", indexes().size());
    return Optional.of(write(status));
  }

  private WorkloadEffect write(ObjectNode status) {
    return new Change(
        job.resource(),
        Revision.of(job.meta()),
        JsonNodeFactory.instance.objectNode().set("status", status),
        Part.STATUS);
  }

  /// As `0-2,5`.
  static String ranges(TreeSet<Integer> indexes) {
    var ranges = new ArrayList<int[]>();
    for (int index : indexes)
      if (!ranges.isEmpty() && ranges.getLast()[1] == index - 1) ranges.getLast()[1] = index;
      else ranges.add(new int[] {index, index});
    return ranges.stream()
        .map(range -> range[0] == range[1] ? "" + range[0] : range[0] + "-" + range[1])
        .collect(Collectors.joining(","));
  }
}
