package dev.berth.controller.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.controller.workload.PodForm;
import dev.berth.controller.workload.Texts;
import dev.berth.controller.workload.Workload;
import dev.berth.controller.workload.WorkloadEffect.Birth;
import dev.berth.controller.workload.WorkloadEffect.Death;
import dev.berth.kube.event.Notice;
import dev.berth.kube.model.Pod;
import dev.berth.kube.name.Reasons;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.value.Json;
import java.util.Optional;
import java.util.OptionalInt;

/// How a Job's pods look, come and go.
record JobPods(Workload job) {
  /// On each pod that is not counted yet.
  static final String TRACKING = "batch.kubernetes.io/job-tracking";

  private static final String INDEX = "batch.kubernetes.io/job-completion-index";
  private static final int LONGEST_PREFIX = 57;

  boolean isIndexed() {
    return Json.text(job.spec(), "completionMode").equals("Indexed");
  }

  /// Which of the completions a pod stands for.
  OptionalInt index(Pod pod) {
    var index = pod.meta().annotation(INDEX).orElse("");
    return index.matches("[0-9]{1,9}")
        ? OptionalInt.of(Integer.parseInt(index))
        : OptionalInt.empty();
  }

  /// @param index of the completion; empty: one is like the other
  /// @param seed what its name follows from
  Birth birth(OptionalInt index, String seed) {
    var name = job.meta().name();
    if (index.isPresent()) name += "-" + index.getAsInt();
    var prefix = (name.length() > LONGEST_PREFIX ? name.substring(0, LONGEST_PREFIX) : name) + "-";
    var key = ObjectKey.of(job.meta().namespace(), prefix + Texts.word(seed + "/" + index));
    var pod = PodForm.of(job.template(), job, key);
    pod.withObject("/metadata").put("generateName", prefix);
    pod.withArray("/metadata/finalizers").add(TRACKING);
    if (index.isPresent()) number(pod, index.getAsInt(), name);
    return new Birth(
        Resources.PODS,
        pod,
        Optional.of(
            Notice.normal(job.ref(), Reasons.SUCCESSFUL_CREATE, "Created pod: " + key.name())),
        Optional.of(Notice.warning(job.ref(), Reasons.FAILED_CREATE, "Error creating: ")));
  }

  private static void number(ObjectNode pod, int index, String name) {
    var text = Integer.toString(index);
    pod.withObject("/metadata/annotations").put(INDEX, text);
    PodForm.label(pod, INDEX, text);
    var spec = pod.withObject("/spec");
    if (Json.text(spec, "hostname").isEmpty()) spec.put("hostname", name);
    for (var field : new String[] {"initContainers", "containers"})
      for (var each : spec.path(field))
        if (each instanceof ObjectNode container)
          container
              .withArray("env")
              .addObject()
              .put("name", "JOB_COMPLETION_INDEX")
              .put("value", text);
  }

  Death death(Pod pod) {
    return new Death(
        pod.ref(),
        Optional.of(
            Notice.normal(
                job.ref(), Reasons.SUCCESSFUL_DELETE, "Deleted pod: " + pod.meta().name())),
        Optional.of(Notice.warning(job.ref(), Reasons.FAILED_DELETE, "Error deleting: ")));
  }
}
