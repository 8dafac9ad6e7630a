package dev.berth.simulation.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.simulation.time.SimulatedProcess;
import java.time.Duration;

/// What an agent says of its node as long as it lives: that it is ready.
record Pulse(SimulatedProcess process, Api api, String node) {
  private static final Duration PERIOD = Duration.ofSeconds(10);

  void start() {
    process.start(this::beat);
  }

  private void beat() {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", "True")
        .put("lastHeartbeatTime", process.now().toString())
        .put("lastTransitionTime", "2026-01-01T00:00:00Z");
    try {
      api.patchStatus(Resources.NODES, ObjectKey.cluster(node), Patch.merge(body));
    } catch (ApiException lost) {
      // the next one may come through
    }
    process.after(PERIOD, this::beat);
  }
}
