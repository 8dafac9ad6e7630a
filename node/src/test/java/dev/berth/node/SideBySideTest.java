package dev.berth.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.object.Resources;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.TestNode;
import io.grpc.Status;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is done to one volume waits for no other volume (NOPX-02, NOPX-04).
class SideBySideTest {
  private final MemoryDriver driver = new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME);
  private final MemoryFiles files = new MemoryFiles(driver);
  private TestNode node;

  @BeforeEach
  void start() throws Exception {
    node = new TestNode(files, files);
    node.drivers().register(MemoryDriver.NAME, driver);
    node.create(
        Resources.CSI_DRIVERS, "{metadata: {name: disk.berth.dev}, spec: {attachRequired: false}}");
    node.start(new MemoryRuntime(driver));
  }

  @AfterEach
  void stop() {
    node.close();
    assertThat(driver.violations()).isEmpty();
  }

  @Test
  void twoVolumesAreStagedAndPublishedAtOnce() {
    var staging = new CyclicBarrier(2);
    var publishing = new CyclicBarrier(2);
    driver.failAfter(
        call -> {
          if (call.startsWith("stage ")) meet(staging);
          if (call.startsWith("publish ")) meet(publishing);
          return false;
        },
        Status.Code.INTERNAL);
    node.bind("one", "vol-1");
    node.bind("two", "vol-2");
    node.create(
        Resources.PODS,
        """
        metadata: {namespace: default, name: web}
        spec:
          nodeName: n
          terminationGracePeriodSeconds: 0
          containers:
          - name: app
            image: host
            command: [sleep, "1"]
            volumeMounts: [{name: one, mountPath: /one}, {name: two, mountPath: /two}]
          volumes:
          - {name: one, persistentVolumeClaim: {claimName: one}}
          - {name: two, persistentVolumeClaim: {claimName: two}}
        """);
    node.awaitPhase("web", "Running");
  }

  private static void meet(CyclicBarrier both) {
    try {
      both.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(stopped);
    } catch (BrokenBarrierException | TimeoutException alone) {
      throw new IllegalStateException("the other volume has to wait for this one", alone);
    }
  }
}
