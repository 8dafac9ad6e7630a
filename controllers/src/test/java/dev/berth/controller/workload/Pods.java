package dev.berth.controller.workload;

import dev.berth.controller.Cluster;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.Pod;
import dev.berth.kube.object.ObjectKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Says of pods what their node would say.
public final class Pods {
  private Pods() {}

  /// It runs, and is ready.
  public static Pod ready(Cluster cluster, ObjectKey pod) {
    phase(cluster, pod, "Running", true);
    return cluster.until(Kinds.POD, pod, PodState::isReady);
  }

  /// It is in this phase.
  public static void phase(Cluster cluster, ObjectKey pod, String phase, boolean ready) {
    cluster.patchStatus(
        Kinds.POD,
        pod,
        body -> {
          var status = body.putObject("status").put("phase", phase);
          status
              .putArray("conditions")
              .addObject()
              .put("type", "Ready")
              .put("status", ready ? "True" : "False")
              .put("lastTransitionTime", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        });
  }
}
