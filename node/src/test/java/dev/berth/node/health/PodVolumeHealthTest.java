package dev.berth.node.health;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.csi.v1.NodeGetVolumeHealthRequest;
import dev.berth.csi.v1.NodeGetVolumeHealthResponse;
import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.csi.v1.VolumeHealth.VolumeHealthEntry;
import dev.berth.csi.v1.VolumeHealthErrorType;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.Patch;
import dev.berth.kube.cache.Snapshots;
import dev.berth.kube.fact.Facts;
import dev.berth.kube.fact.Sources;
import dev.berth.kube.model.ClaimHealth;
import dev.berth.kube.model.Kinds;
import dev.berth.kube.model.VolumeHealth;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.TestNode;
import dev.berth.node.volume.state.Actual;
import dev.berth.node.volume.state.ActualState;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /// VH-16: what it strips is no reason to tell it at each look.
  @Test
  void aServerThatKeepsAPartOfItCountsAsOneThatDrops() throws Exception {
    var driver = new MemoryDriver();
    var files = new MemoryFiles(driver);
    var ill = new VolumeHealth(VolumeHealth.DEGRADED, "DriveSuspect", "it is expected to fail");
    try (var node = new TestNode(files, files);
        var time = new SystemTime("volume-health")) {
      var pod =
          Kinds.POD
              .read()
              .apply(
                  node.create(
                      Resources.PODS,
                      """
                      metadata: {namespace: default, name: web}
                      spec: {nodeName: n, containers: [{name: app, image: host}]}
                      """));
      var health = Map.of("store", new ClaimHealth(List.of(ill), Optional.of(Instant.EPOCH)));
      var write = new HealthEffect.WriteHealth(pod.ref(), health);
      for (var server : List.of(node.api(), older(node.api()))) {
        var effects =
            new HealthEffects(server, node.drivers(), files, new ActualState(Actual.NOTHING), time);
        effects.carryOut(write);
        var known = Facts.of(Snapshots.empty(), Sources.of(effects.source())).of(Known.TOPIC);
        assertThat(known.dropped().isPresent()).isEqualTo(server != node.api());
      }
    }
  }

  /// A server that does not know the messages of conditions.
  private static Api older(Api server) {
    return (Api)
        Proxy.newProxyInstance(
            Api.class.getClassLoader(),
            new Class<?>[] {Api.class},
            (_, method, arguments) -> {
              if (method.getName().equals("patchStatus"))
                ((Patch) arguments[2])
                    .body()
                    .findParents("message")
                    .forEach(it -> ((ObjectNode) it).remove("message"));
              return method.invoke(server, arguments);
            });
  }
}
