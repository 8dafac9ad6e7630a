package dev.berth.node.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.NodeGetVolumeHealthRequest;
import dev.berth.csi.v1.NodeGetVolumeHealthResponse;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.VolumeHealth.VolumeHealthEntry;
import dev.berth.csi.v1.VolumeHealthErrorType;
import dev.berth.kube.object.Resources;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.TestNode;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// The whole agent over a real API server.
class PodVolumeHealthTest {
  /// VH-10, VH-17: asked with both paths, written to the pod by the pod's name of the volume, and
  /// the agent's other writes leave it there.
  @Test
  void aPodShowsHowItsVolumeIs() throws Exception {
    var driver = new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME, RPC.Type.GET_VOLUME_HEALTH);
    List<NodeGetVolumeHealthRequest> asked = new CopyOnWriteArrayList<>();
    driver.tellHealth(request -> {
      asked.add(request);
      var answer = NodeGetVolumeHealthResponse.newBuilder();
      answer
          .getVolumeHealthBuilder()
          .setVolumeId(request.getVolumeId())
          .addHealthStatuses(
              VolumeHealthEntry.newBuilder()
                  .setStatus(VolumeHealthErrorType.DEGRADED)
                  .setReason("DriveSuspect")
                  .setMessage("its drive is expected to fail"));
      return answer.build();
    });
    var files = new MemoryFiles(driver);
    try (var node = new TestNode(files, files)) {
      node.drivers().register(MemoryDriver.NAME, driver);
      node.create(
          Resources.CSI_DRIVERS,
          "{metadata: {name: disk.berth.dev}, spec: {attachRequired: true}}");
      node.start(new MemoryRuntime(driver));
      node.bind("data", "vol-1");
      node.create(
          Resources.PODS,
          """
          metadata: {namespace: default, name: web}
          spec:
            nodeName: n
            containers:
            - {name: app, image: host, command: [sleep, "1"], volumeMounts: [{name: store, mountPath: /data}]}
            volumes: [{name: store, persistentVolumeClaim: {claimName: data}}]
          """);
      node.attach("data", "vol-1");
      var running =
          node.awaitPod(
              "web",
              "to run and to tell of its volume",
              it ->
                  it.path("status").path("phase").asText().equals("Running")
                      && it.path("status").path("volumeHealth").size() == 1);
      var health = running.path("status").path("volumeHealth").path(0);
      assertThat(health.path("name").asText()).isEqualTo("store");
      assertThat(health.path("healthConditions").toString())
          .isEqualTo(
              "[{\"status\":\"Degraded\",\"reason\":\"DriveSuspect\",\"message\":\"its drive is"
                  + " expected to fail\"}]");
      assertThat(health.path("lastTransitionTime").asText()).endsWith("Z");
      var last = asked.getLast();
      assertThat(last.getVolumeId()).isEqualTo("vol-1");
      assertThat(last.getStagingTargetPath()).isNotEmpty();
      node.awaitPhase("web", "Running");
    }
  }
}
