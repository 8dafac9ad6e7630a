package dev.berth.node;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.ControllerUnpublishVolumeRequest;
import dev.berth.csi.v1.CreateVolumeRequest;
import dev.berth.csi.v1.DeleteVolumeRequest;
import dev.berth.csi.v1.Volume;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.DriverServer;
import dev.berth.driver.disk.DiskDriver;
import dev.berth.driver.disk.DiskOptions;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.kube.time.SystemTime;
import dev.berth.linux.mount.MountEntry;
import dev.berth.node.driver.Connections;
import dev.berth.node.plugin.PluginRegistrations;
import dev.berth.node.plugin.Plugins;
import dev.berth.node.pod.disk.KubeletPodFiles;
import dev.berth.node.runtime.cri.CriRuntime;
import dev.berth.node.testing.ContainerEngine;
import dev.berth.node.testing.Scratch;
import dev.berth.node.testing.TestNode;
import dev.berth.node.testing.TestRegistrar;
import dev.berth.node.volume.disk.KubeletFiles;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/// The whole agent over a real containerd: the disk driver, ext4 on loop devices and the devices
/// themselves. Only the control plane's part is played by the test.
@Timeout(120)
@EnabledIf(
    value = "dev.berth.node.testing.Scratch#containersOnDisks",
    disabledReason = "needs root, loop devices, mkfs.ext4 and overlay mounts")
class RealEngineTest {
  private final SystemTime time = new SystemTime("real-engine");
  private ContainerEngine engine;
  private Scratch scratch;
  private DiskDriver driver;
  private DriverServer server;
  private CsiConnection connection;
  private TestRegistrar registrar;
  private PluginRegistrations registrations;
  private Connections connections;
  private TestNode node;
  private CriRuntime runtime;

  @BeforeEach
  void start() throws Exception {
    engine = ContainerEngine.start();
    scratch = Scratch.open();
    driver = DiskDriver.open(DiskOptions.of(List.of(scratch.directory.resolve("pool")), "n"));
    var socket = scratch.directory.resolve("csi.sock");
    server = DriverServer.start(socket, driver);
    connection = CsiConnection.open(socket);
    var files = new KubeletFiles(scratch.layout, TestNode.NAME, scratch.mounts);
    node = new TestNode(files, new KubeletPodFiles(scratch.layout, scratch.logs, scratch.mounts));
    var registered = new Plugins();
    registrations = new PluginRegistrations(scratch.layout.registry(), registered, time);
    connections = new Connections(registered, node.drivers());
    registrations.start();
    registrar = new TestRegistrar(scratch.layout.registry(), DiskDriver.NAME, socket);
    node.create(Resources.CSI_DRIVERS, "metadata: {name: disk.berth.dev}");
    startAgent();
  }

  private void startAgent() throws Exception {
    runtime = CriRuntime.open(scratch.layout, engine.socket());
    node.start(runtime);
  }

  @AfterEach
  void stop() throws Exception {
    if (node == null) return;
    for (var each : List.of(node, registrations, registrar, connections, connection, server))
      each.close();
    for (var container : runtime.list()) runtime.remove(container.id());
    for (var pod : runtime.pods()) runtime.removePod(pod);
    runtime.close();
    driver.close();
    engine.close();
    scratch.close();
    time.close();
  }

  private static VolumeCapability capability(boolean block) {
    var capability = VolumeCapability.newBuilder();
    capability.getAccessModeBuilder().setMode(Mode.SINGLE_NODE_WRITER);
    if (block) capability.getBlockBuilder();
    else capability.getMountBuilder().setFsType("ext4");
    return capability.build();
  }

  private Volume volume(VolumeCapability capability) {
    return connection
        .controller(Duration.ofMinutes(1))
        .createVolume(
            CreateVolumeRequest.newBuilder()
                .setName("data")
                .addVolumeCapabilities(capability)
                .build())
        .getVolume();
  }

  private void attach(Volume volume, VolumeCapability capability) {
    var published =
        connection
            .controller(Duration.ofMinutes(1))
            .controllerPublishVolume(
                ControllerPublishVolumeRequest.newBuilder()
                    .setVolumeId(volume.getVolumeId())
                    .setNodeId("n")
                    .setVolumeCapability(capability)
                    .putAllVolumeContext(volume.getVolumeContextMap())
                    .build());
    node.attach("data", volume.getVolumeId(), published.getPublishContextMap());
  }

  private void deletePod(String name) {
    node.api().delete(Resources.PODS, ObjectKey.of("default", name), DeleteOptions.DEFAULT);
    node.awaitGone(name);
  }

  /// Detaching and deletion by the driver succeed only if nothing of the volume is left here.
  private void assertNothingIsLeft(Volume volume) {
    await("unmounted")
        .until(() ->
            scratch.mounts.table().under(scratch.layout.root()).stream()
                .map(MountEntry::target)
                .toList()
                .isEmpty());
    await("not in use").until(() -> node.node().path("status").path("volumesInUse").isEmpty());
    await("no container is left").until(() -> runtime.list().isEmpty());
    await("no sandbox is left").until(() -> runtime.pods().isEmpty());
    var controller = connection.controller(Duration.ofMinutes(1));
    controller.controllerUnpublishVolume(
        ControllerUnpublishVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .setNodeId("n")
            .build());
    controller.deleteVolume(
        DeleteVolumeRequest.newBuilder().setVolumeId(volume.getVolumeId()).build());
    await("nothing below pods")
        .untilAsserted(() -> assertThat(scratch.layout.pods()).isEmptyDirectory());
  }

  @Test
  void aPodWritesToItsDiskThroughTwoAgents() throws Exception { // NRUN-04, NRUN-05, NRUN-12
    var volume = volume(capability(false));
    node.bind("data", volume.getVolumeId(), volume.getVolumeContextMap());
    node.create(
        Resources.CONFIG_MAPS, "{metadata: {namespace: default, name: conf}, data: {step: '1'}}");
    var uid =
        node.create(
                Resources.PODS,
                """
                metadata: {namespace: default, name: web}
                spec:
                  nodeName: n
                  restartPolicy: Never
                  terminationGracePeriodSeconds: 1
                  securityContext: {runAsUser: 1000, fsGroup: 2000}
                  initContainers:
                  - name: first
                    image: localhost/busybox:1
                    imagePullPolicy: Never
                    command: [sh, -c, "id -u > /data/user; mount | grep ' /data ' > /data/kind"]
                    volumeMounts: [{name: data, mountPath: /data}]
                  containers:
                  - name: app
                    image: localhost/busybox:1
                    imagePullPolicy: Never
                    command: [sh, -c]
                    args:
                    - |
                      i=0
                      while true; do
                        i=$((i+$(cat /conf/step))); echo $i >> /part/lines; sleep 0.05
                      done
                    volumeMounts:
                    - {name: data, mountPath: /part, subPath: a/b}
                    - {name: conf, mountPath: /conf}
                    - {name: empty, mountPath: /empty}
                  volumes:
                  - {name: data, persistentVolumeClaim: {claimName: data}}
                  - {name: conf, configMap: {name: conf}}
                  - {name: empty, emptyDir: {}}
                """)
            .at("/metadata/uid")
            .asText();
    attach(volume, capability(false));
    node.awaitPhase("web", "Running");
    var disk = scratch.layout.publishTarget(uid, "pv-data");
    assertThat(disk.resolve("user")).hasContent("1000");
    assertThat(disk.resolve("kind")).content().contains("type ext4");
    var lines = disk.resolve("a/b/lines");
    await("it writes").until(() -> Files.exists(lines) && Files.readAllLines(lines).size() > 3);
    node.kill();
    runtime.close();
    var before = Files.readAllLines(lines).size();
    startAgent();
    await("it goes on").until(() -> Files.readAllLines(lines).size() > before + 3);
    var written = Files.readAllLines(lines);
    for (int i = 0; i < written.size(); i++)
      assertThat(written.get(i)).isEqualTo(Integer.toString(i + 1));
    deletePod("web");
    assertNothingIsLeft(volume);
  }

  @Test
  void aPodHasADiskAsADevice() throws Exception { // NBLK-04
    var volume = volume(capability(true));
    node.bindDevice("data", volume.getVolumeId(), volume.getVolumeContextMap());
    var uid =
        node.create(
                Resources.PODS,
                """
                metadata: {namespace: default, name: raw}
                spec:
                  nodeName: n
                  restartPolicy: Never
                  containers:
                  - name: app
                    image: localhost/busybox:1
                    imagePullPolicy: Never
                    command: [sh, -c]
                    args:
                    - >-
                      echo kept | dd of=/dev/data conv=notrunc && sync &&
                      head -c 4 /dev/data > /dev/termination-log
                    volumeDevices: [{name: data, devicePath: /dev/data}]
                  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
                """)
            .at("/metadata/uid")
            .asText();
    attach(volume, capability(true));
    var pod = node.awaitPhase("raw", "Succeeded");
    assertThat(pod.at("/status/containerStatuses/0/state/terminated/message").asText())
        .isEqualTo("kept");
    assertThat(scratch.layout.pod(uid)).exists();
    deletePod("raw");
    assertNothingIsLeft(volume);
  }
}
