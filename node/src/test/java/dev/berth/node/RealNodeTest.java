package dev.berth.node;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import dev.berth.node.image.ImageImport;
import dev.berth.node.image.ImageName;
import dev.berth.node.image.ImageStore;
import dev.berth.node.image.ImageStoreWriter;
import dev.berth.node.image.TestImage;
import dev.berth.node.plugin.PluginRegistrations;
import dev.berth.node.plugin.Plugins;
import dev.berth.node.pod.disk.KubeletPodFiles;
import dev.berth.node.pod.log.ContainerLogs;
import dev.berth.node.pod.log.ContainerLogs.Part;
import dev.berth.node.runtime.host.HostRuntime;
import dev.berth.node.testing.Scratch;
import dev.berth.node.testing.TestNode;
import dev.berth.node.testing.TestRegistrar;
import dev.berth.node.volume.disk.KubeletFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

/// The whole agent on this machine: the disk driver registered by its socket, ext4 on loop devices,
/// processes in name spaces. Only the control plane's part is played by the test.
@Timeout(120)
@EnabledIf(
    value = "dev.berth.node.testing.Scratch#containersOnDisks",
    disabledReason = "needs root, loop devices, mkfs.ext4 and overlay mounts")
class RealNodeTest {
  private Scratch scratch;
  private DiskDriver driver;
  private DriverServer server;
  private CsiConnection connection;
  private final SystemTime time = new SystemTime("real-node");
  private TestRegistrar registrar;
  private PluginRegistrations registrations;
  private Connections connections;
  private TestNode node;
  private HostRuntime runtime;
  private Volume volume;

  @BeforeEach
  void start() throws Exception {
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
    volume =
        connection
            .controller(Duration.ofMinutes(1))
            .createVolume(
                CreateVolumeRequest.newBuilder()
                    .setName("data")
                    .addVolumeCapabilities(ext4())
                    .build())
            .getVolume();
    node.bind("data", volume.getVolumeId(), volume.getVolumeContextMap());
  }

  @AfterEach
  void stop() throws Exception {
    for (var each : List.of(node, registrations, registrar, connections, connection, server))
      each.close();
    for (var container : runtime.list()) runtime.remove(container.id());
    runtime.close();
    driver.close();
    scratch.close();
    time.close();
  }

  private void startAgent() throws Exception {
    runtime = HostRuntime.open(scratch.layout, List.of());
    node.start(runtime);
  }

  private void killAgent() throws Exception {
    node.kill();
    runtime.close();
  }

  private static VolumeCapability ext4() {
    var capability = VolumeCapability.newBuilder();
    capability.getMountBuilder().setFsType("ext4");
    capability.getAccessModeBuilder().setMode(Mode.SINGLE_NODE_WRITER);
    return capability.build();
  }

  private String pod(String name, String script) {
    return pod(name, script, "Never");
  }

  private String pod(String name, String script, String restartPolicy) {
    var pod =
        (ObjectNode)
            TestNode.yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: default, name: %s}
                spec:
                  nodeName: n
                  restartPolicy: %s
                  terminationGracePeriodSeconds: 5
                  containers:
                  - name: app
                    image: host
                    command: [sh, -c, SCRIPT]
                    volumeMounts: [{name: data, mountPath: /data}]
                  volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
                """
                    .formatted(name, restartPolicy));
    ((ArrayNode) pod.at("/spec/containers/0/command")).set(2, script);
    return node.api().create(Resources.PODS, pod).path("metadata").path("uid").asText();
  }

  private void attach() {
    var published =
        connection
            .controller(Duration.ofMinutes(1))
            .controllerPublishVolume(
                ControllerPublishVolumeRequest.newBuilder()
                    .setVolumeId(volume.getVolumeId())
                    .setNodeId("n")
                    .setVolumeCapability(ext4())
                    .putAllVolumeContext(volume.getVolumeContextMap())
                    .build());
    node.attach("data", volume.getVolumeId(), published.getPublishContextMap());
  }

  private void deletePod(String name) {
    node.api().delete(Resources.PODS, ObjectKey.of("default", name), DeleteOptions.DEFAULT);
    node.awaitGone(name);
  }

  private List<Path> mounts() {
    return scratch.mounts.table().under(scratch.layout.root()).stream()
        .map(MountEntry::target)
        .toList();
  }

  private String log(String pod, String uid) throws IOException {
    try (var log =
        new ContainerLogs(scratch.logs, runtime).open("default", pod, uid, "app", Part.ALL)) {
      return new String(log.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /// Detaching and deletion by the driver succeed only if nothing of the volume is left here.
  private void assertNothingIsLeft() throws IOException {
    await("unmounted").until(() -> mounts().isEmpty());
    await("not in use").until(() -> node.node().path("status").path("volumesInUse").isEmpty());
    assertThat(node.agent().mounted().volumes()).isEmpty();
    var controller = connection.controller(Duration.ofMinutes(1));
    controller.controllerUnpublishVolume(
        ControllerUnpublishVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .setNodeId("n")
            .build());
    controller.deleteVolume(
        DeleteVolumeRequest.newBuilder().setVolumeId(volume.getVolumeId()).build());
    // after the object, as a kubelet does
    await("nothing below pods")
        .untilAsserted(() -> assertThat(scratch.layout.pods()).isEmptyDirectory());
  }

  @Test
  void aPodWritesAndTheNextOneReads() throws Exception {
    var first = pod("first", "echo one >> /data/lines && cat /data/lines");
    attach();
    node.awaitPhase("first", "Succeeded");
    assertThat(log("first", first)).isEqualTo("one\n");
    deletePod("first");
    var second = pod("second", "echo two >> /data/lines && cat /data/lines");
    node.awaitPhase("second", "Succeeded");
    assertThat(log("second", second)).isEqualTo("one\ntwo\n");
    deletePod("second");
    assertNothingIsLeft();
  }

  @Test
  void theNextAgentAdoptsAWritingContainer() throws Exception {
    var uid =
        pod("web", "i=0; while true; do i=$((i+1)); echo $i >> /data/lines; sleep 0.05; done");
    attach();
    node.awaitPhase("web", "Running");
    var lines = scratch.layout.publishTarget(uid, "pv-data").resolve("lines");
    await("it writes").until(() -> Files.exists(lines) && Files.readAllLines(lines).size() > 3);
    killAgent();
    var before = Files.readAllLines(lines).size();
    startAgent();
    await("it goes on").until(() -> Files.readAllLines(lines).size() > before + 3);
    await("mounts are certain again")
        .until(() ->
            node.agent().mounted().volumes().values().stream()
                .allMatch(volume -> volume.publishedFor(uid)));
    var written = Files.readAllLines(lines);
    for (int i = 0; i < written.size(); i++)
      assertThat(written.get(i)).isEqualTo(Integer.toString(i + 1));
    assertThat(
            node.awaitPhase("web", "Running")
                .at("/status/containerStatuses/0/restartCount")
                .asInt())
        .isZero();
    deletePod("web");
    assertNothingIsLeft();
  }

  /// NRUN-03: and it starts at once when the image is there, whatever its pause is by then.
  @Test
  void aPodWaitsForItsImageAndStartsWhenItIsImported() throws Exception {
    assumeTrue(TestImage.hasBusybox(), "needs a busybox that is linked statically");
    var pod =
        (ObjectNode)
            TestNode.yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata: {namespace: default, name: box}
                spec:
                  nodeName: n
                  restartPolicy: Never
                  containers: [{name: app, image: "localhost/box:1", args: ["cat /etc/greeting"]}]
                """);
    var uid = node.api().create(Resources.PODS, pod).path("metadata").path("uid").asText();
    await("it waits")
        .until(() ->
            box()
                .at("/status/containerStatuses/0/state/waiting/reason")
                .asText()
                .equals("ErrImageNeverPull"));
    assertThat(box().at("/status/containerStatuses/0/state/waiting/message").asText())
        .contains("berth image import FILE --name localhost/box:1 --root-dir");
    var image = new TestImage();
    image.config.withObject("/config").putArray("Entrypoint").add("sh").add("-c");
    image.layer(TestImage.shell().file("etc/greeting", 0644, "hello\n").bytes());
    var store = new ImageStore(scratch.layout.root().resolve("images"));
    try (var writer = ImageStoreWriter.open(store, List::of)) {
      new ImageImport(writer, TestImage.MACHINE, 1 << 26)
          .run(
              image.tar(scratch.directory.resolve("box.tar"), ""),
              List.of(ImageName.parse("localhost/box:1")));
    }
    node.awaitPhase("box", "Succeeded");
    assertThat(log("box", uid)).isEqualTo("hello\n");
    deletePod("box");
  }

  private JsonNode box() {
    return node.pod("box").map(JsonNode.class::cast).orElseThrow();
  }

  @Test
  void aDriverThatIsAwayIsWaitedFor() throws Exception { // NREC-10
    pod("web", "sleep 60");
    attach();
    node.awaitPhase("web", "Running");
    registrar.close();
    await("unregistered").until(() -> node.drivers().source().now().isEmpty());
    node.api().delete(Resources.PODS, ObjectKey.of("default", "web"), DeleteOptions.DEFAULT);
    await("the pod waits for its driver")
        .until(() ->
            node.agent().volumes().waits().values().stream()
                .anyMatch(wait -> wait.until().contains("has registered")));
    assertThat(mounts()).isNotEmpty();
    registrar =
        new TestRegistrar(
            scratch.layout.registry(), DiskDriver.NAME, scratch.directory.resolve("csi.sock"));
    node.awaitGone("web");
    assertNothingIsLeft();
  }

  @Test
  void aDrainedNodeHasNothingMountedAndGoesOnLater() throws Exception { // NSHT-02
    pod("web", "echo begun >> /data/lines; while true; do sleep 0.02; done", "Always");
    attach();
    node.awaitPhase("web", "Running");
    assertThat(
            node.agent()
                .drain(Duration.ofSeconds(5), Duration.ofSeconds(10))
                .get(20, TimeUnit.SECONDS))
        .isEmpty();
    assertThat(mounts()).isEmpty();
    await("nothing is reported in use")
        .until(() -> node.node().path("status").path("volumesInUse").isEmpty());
    killAgent();
    startAgent();
    node.awaitPod(
        "web",
        "runs again",
        pod ->
            pod.at("/status/containerStatuses/0/restartCount").asInt() == 1
                && pod.at("/status/containerStatuses/0/ready").asBoolean());
    deletePod("web");
    assertNothingIsLeft();
  }

  @Test
  void whatEndsWithoutAnAgentIsSeenByTheNext() throws Exception {
    pod("web", "while [ ! -e /data/stop ]; do sleep 0.02; done; exit 7");
    attach();
    var uid = node.awaitPhase("web", "Running").path("metadata").path("uid").asText();
    killAgent();
    Files.createFile(scratch.layout.publishTarget(uid, "pv-data").resolve("stop"));
    startAgent();
    var failed = node.awaitPhase("web", "Failed");
    assertThat(failed.at("/status/containerStatuses/0/state/terminated/exitCode").asInt())
        .isEqualTo(7);
    deletePod("web");
    assertNothingIsLeft();
  }
}
