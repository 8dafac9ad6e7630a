package dev.berth.node;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.node.pod.disk.KubeletPodFiles;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.Scratch;
import dev.berth.node.testing.TestNode;
import dev.berth.node.volume.disk.KubeletFiles;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/// An agent begins beside a device whose note was damaged: as long as the device is here, it is in
/// use and its pod stays (NREC-01, NRUN-16).
@EnabledIf(value = "dev.berth.node.testing.Scratch#mounts", disabledReason = "mounts need root")
class LostDevicesTest {
  private static final VolumeName NAME = new VolumeName(MemoryDriver.NAME, "vol-1");

  private final MemoryDriver driver = new MemoryDriver(RPC.Type.STAGE_UNSTAGE_VOLUME);
  private Scratch scratch;
  private TestNode node;

  @BeforeEach
  void start() throws Exception {
    scratch = Scratch.open();
    node =
        new TestNode(
            new KubeletFiles(scratch.layout, TestNode.NAME, scratch.mounts),
            new KubeletPodFiles(scratch.layout, scratch.logs, scratch.mounts));
    node.create(
        Resources.CSI_DRIVERS, "{metadata: {name: disk.berth.dev}, spec: {attachRequired: true}}");
    node.patchStatus(
        Resources.NODES, TestNode.NAME, "status: {volumesInUse: [\"%s\"]}".formatted(NAME));
    leave(deletedPod());
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
    scratch.close();
  }

  private String deletedPod() {
    var pod =
        node.create(
            Resources.PODS,
            """
            metadata: {namespace: default, name: db}
            spec:
              nodeName: n
              containers:
              - {name: app, image: host, command: [sleep, "1"], volumeDevices: [{name: data, devicePath: /dev/data}]}
              volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
            """);
    node.api().delete(Resources.PODS, ObjectKey.of("default", "db"), DeleteOptions.DEFAULT);
    return pod.at("/metadata/uid").asText();
  }

  /// What an earlier agent has left.
  private void leave(String uid) throws Exception {
    var layout = scratch.layout;
    Files.createDirectories(layout.deviceData("pv-data"));
    Files.createFile(layout.deviceData("pv-data").resolve("vol_data.json"));
    Files.createDirectories(layout.publishedDevices("pv-data"));
    Files.createDirectories(layout.stagedDevice("pv-data"));
    Files.createDirectories(layout.deviceMaps("pv-data"));
    Files.createDirectories(layout.podDevices(uid));
    var map = Files.createFile(layout.deviceMap(uid, "pv-data"));
    var device = Files.createFile(scratch.directory.resolve("device"));
    scratch.mounts.bind(device, map, Mounts.Depth.ONE, MountOptions.NONE);
    Files.createSymbolicLink(
        layout.podDevice(uid, "pv-data"), layout.publishedDevice(uid, "pv-data"));
  }

  private void start(TestNode each) throws Exception {
    each.start(new MemoryRuntime(driver));
  }

  private String inUse() {
    return node.node().at("/status/volumesInUse").toString();
  }

  private void awaitItsEnd() {
    assertThat(inUse()).contains("vol-1");
    assertThat(node.pod("db")).isPresent();
    node.drivers().register(MemoryDriver.NAME, driver);
    node.awaitGone("db");
    await("unstaged").until(() -> !Files.exists(scratch.layout.device("pv-data")));
    assertThat(driver.calls()).containsExactly("unpublish vol-1", "unstage vol-1");
    await("not in use").until(() -> !inUse().contains("vol-1"));
  }

  @Test
  void itsVolumeSaysWhoseItIs() throws Exception {
    node.bind("data", "vol-1");
    start(node);
    await("found").until(() -> node.agent().mounted().volumes().containsKey(NAME));
    awaitItsEnd();
  }

  @Test
  void itsNoteSaysItAgainOnceItIsMended() throws Exception {
    start(node);
    await("the report is written").until(() -> node.agent().mounted().reportedInUse(NAME));
    await("the pod's end waits")
        .until(() -> String.valueOf(node.agent().pods().waits()).contains("cannot be read"));
    assertThat(node.agent().mounted().volumes()).isEmpty();
    Files.writeString(
        scratch.layout.deviceData("pv-data").resolve("vol_data.json"),
        "{\"driverName\": \"disk.berth.dev\", \"volumeHandle\": \"vol-1\"}");
    await("found").until(() -> node.agent().mounted().volumes().containsKey(NAME));
    awaitItsEnd();
  }
}
