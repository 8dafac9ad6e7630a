package dev.berth.node.stats;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryFiles;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.TestNode;
import io.grpc.Status;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What a kubelet counts, a whole agent counts under the same names (NVM-20).
class OperationMetricsTest {
  private final MemoryDriver driver = new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME);
  private final MemoryFiles files = new MemoryFiles(driver);
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private TestNode node;

  @BeforeEach
  void start() throws Exception {
    node = new TestNode(files, files);
    node.drivers().register(MemoryDriver.NAME, driver);
    node.create(
        Resources.CSI_DRIVERS, "{metadata: {name: disk.berth.dev}, spec: {attachRequired: true}}");
    node.start(new MemoryRuntime(driver));
    node.operations()
        .register(registry, node.agent()::wantedByDriver, node.agent()::mountedByDriver);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private void pod(String use) {
    node.create(
        Resources.PODS,
        """
        metadata: {namespace: default, name: web}
        spec:
          nodeName: n
          terminationGracePeriodSeconds: 0
          containers: [{name: app, image: host, command: [sleep, "1"], %s}]
          volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
        """
            .formatted(use));
  }

  private void delete() {
    node.api().delete(Resources.PODS, ObjectKey.of("default", "web"), DeleteOptions.DEFAULT);
    node.awaitGone("web");
    await("nothing is kept").until(() -> node.agent().mounted().volumes().isEmpty());
  }

  private static String count(String operation, String status) {
    return "storage_operation_duration_seconds_count{migrated=\"false\",operation_name=\"%s\",status=\"%s\",volume_plugin=\"kubernetes.io/csi:disk.berth.dev\"} 1\n"
        .formatted(operation, status);
  }

  private String text() throws IOException {
    var bytes = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.builder().build().write(bytes, registry.scrape());
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void whatIsDoneAboutAVolumeIsCountedAsByAKubelet() throws Exception {
    driver.refuseNext(Status.Code.INTERNAL); // the first attempt to stage it
    node.bind("data", "vol-1");
    pod("volumeMounts: [{name: data, mountPath: /data}]");
    node.attach("data", "vol-1");
    node.awaitPhase("web", "Running");
    var volumes = "volume_manager_total_volumes{plugin_name=\"kubernetes.io/csi:disk.berth.dev\"";
    assertThat(text())
        .contains(
            count("verify_controller_attached_volume", "success"),
            count("volume_mount", "fail-unknown"),
            count("volume_mount", "success"),
            volumes + ",state=\"actual_state_of_world\"} 1.0\n",
            volumes + ",state=\"desired_state_of_world\"} 1.0\n");
    delete();
    assertThat(text())
        .contains(count("volume_unmount", "success"), count("unmount_device", "success"))
        .doesNotContain("volume_manager_total_volumes{");
  }

  @Test
  void aDeviceIsMapped() throws Exception {
    node.bindDevice("data", "vol-1", Map.of());
    pod("volumeDevices: [{name: data, devicePath: /dev/data}]");
    node.attach("data", "vol-1");
    node.awaitPhase("web", "Running");
    delete();
    assertThat(text())
        .contains(
            count("map_volume", "success"),
            count("unmap_volume", "success"),
            count("unmap_device", "success"))
        .doesNotContain("mount");
  }
}
