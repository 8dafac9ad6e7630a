package dev.berth.node;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.api.ApiException;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.node.runtime.ContainerId;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.TestNode;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pods come, end and are deleted, gently and by force, while the driver loses answers and the
/// agent is stopped and started again. Whatever happens in between: no container without its
/// volumes, no unmount under a container, and nothing left at the end.
class NodeUnderFireTest {
  private static final int PODS = 8;

  private final MemoryDriver driver = new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME);
  private final MemoryFiles files = new MemoryFiles(driver);
  private final MemoryRuntime runtime = new MemoryRuntime(driver);

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void nothingIsLostAndNothingIsLeft(long seed) throws Exception {
    var random = new Random(seed);
    try (var node = new TestNode(files, files)) {
      node.drivers().register(MemoryDriver.NAME, driver);
      node.create(
          Resources.CSI_DRIVERS,
          "{metadata: {name: disk.berth.dev}, spec: {attachRequired: false}}");
      for (int volume = 0; volume < 3; volume++) node.bind("data" + volume, "vol-" + volume);
      driver.failAfter(
          _ -> ThreadLocalRandom.current().nextInt(4) == 0,
          random.nextBoolean() ? Status.Code.UNAVAILABLE : Status.Code.INTERNAL);
      node.start(runtime);
      List<String> pods = new ArrayList<>();
      for (int i = 0; i < PODS; i++) {
        pods.add(pod(node, "web" + i, "data" + random.nextInt(3)));
        if (random.nextInt(3) == 0) restart(node);
        if (random.nextInt(3) == 0) end(pods.get(random.nextInt(pods.size())), random);
        if (random.nextInt(3) == 0) delete(node, "web" + random.nextInt(i + 1), random);
      }
      restart(node);
      driver.failAfter(_ -> false, Status.Code.OK);
      for (int i = 0; i < PODS; i++) delete(node, "web" + i, random);
      await("all gone, seed " + seed)
          .until(() ->
              files.traces().isEmpty()
                  && files.pods().isEmpty()
                  && runtime.list().isEmpty()
                  && driver.mounts().isEmpty()
                  && node.agent().mounted().volumes().isEmpty());
      for (int i = 0; i < PODS; i++) node.awaitGone("web" + i);
    }
    assertThat(driver.violations()).isEmpty();
  }

  private void restart(TestNode node) throws Exception {
    node.kill();
    runtime.forgetListeners();
    node.start(runtime);
  }

  private static String pod(TestNode node, String name, String claim) {
    return node.create(
            Resources.PODS,
            """
            metadata: {namespace: default, name: %s}
            spec:
              nodeName: n
              restartPolicy: OnFailure
              terminationGracePeriodSeconds: 1
              containers:
              - {name: app, image: host, command: [a], volumeMounts: [{name: data, mountPath: /d}]}
              volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]
            """
                .formatted(name, claim))
        .path("metadata")
        .path("uid")
        .asText();
  }

  private void end(String uid, Random random) {
    runtime.end(new ContainerId(uid, "app", 0), random.nextInt(2));
  }

  private static void delete(TestNode node, String name, Random random) {
    var options = DeleteOptions.DEFAULT;
    try {
      node.api()
          .delete(
              Resources.PODS,
              ObjectKey.of("default", name),
              random.nextInt(3) == 0 ? options.gracePeriodSeconds(0) : options);
    } catch (ApiException gone) {
      assertThat(gone.isNotFound()).isTrue();
    }
  }
}
