package dev.berth.cli.nodeagent;

import static dev.berth.cli.nodeagent.NodeBed.NODE;
import static dev.berth.cli.nodeagent.NodeBed.soon;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeStageVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.node.layout.Layout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// `berth node` in a kubelet's place, on an API server that is another process.
@Timeout(180)
class NodeProcessTest {
  private NodeBed bed;
  private RecordingDriver driver;

  @BeforeEach
  void start() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    bed = new NodeBed();
    driver = new RecordingDriver(bed.root());
    bed.create(
        Resources.CSI_DRIVERS,
        "{metadata: {name: recording.example}, spec: {attachRequired: false, podInfoOnMount: true,"
            + " volumeLifecycleModes: [Persistent, Ephemeral]}}");
    bed.bind("data", "h1", "Filesystem");
  }

  @AfterEach
  void stop() throws Exception {
    if (bed == null) return;
    driver.close();
    bed.close();
  }

  private void createPod(String name, String image, String script) throws IOException {
    bed.create(
        Resources.PODS,
        """
        metadata: {namespace: default, name: %s}
        spec:
          nodeName: node-a
          terminationGracePeriodSeconds: 1
          containers:
          - name: app
            image: %s
            command: [sh, -c, "%s"]
            volumeMounts: [{name: data, mountPath: /data}]
          volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]
        """
            .formatted(name, image, script));
  }

  private void delete(String name) {
    bed.api.delete(Resources.PODS, ObjectKey.of("default", name), DeleteOptions.DEFAULT);
    soon().until(() -> bed.pod(name).isEmpty());
  }

  @Test
  void theNodeIsRegisteredAsAKubeletDoes()
      throws Exception { // NRUN-13, CN-01, CN-03, CN-06, REG-12, NCSN-01, NCSN-02, NCSN-04
    bed.node(
        "--node-labels=tier=gold",
        "--node-ip=192.0.2.7",
        "--register-with-taints=only=db:NoSchedule",
        "--max-pods=20",
        "--provider-id=rack://7");
    bed.awaitDriver(RecordingDriver.NAME);
    var node = bed.registered();
    assertThat(node.at("/metadata/labels").toString())
        .contains("\"kubernetes.io/hostname\":\"node-a\"", "\"kubernetes.io/os\":\"linux\"")
        .contains("\"beta.kubernetes.io/os\":\"linux\"")
        .contains("\"tier\":\"gold\"", "\"zone.example\":\"a\"");
    assertThat(node.at("/metadata/annotations/csi.volume.kubernetes.io~1nodeid").asText())
        .isEqualTo("{\"recording.example\":\"one\"}");
    assertThat(node.path("spec").toString())
        .contains("rack://7", "\"key\":\"only\"", "\"effect\":\"NoSchedule\"");
    assertThat(node.at("/status/addresses").toString()).contains("192.0.2.7");
    assertThat(node.at("/status/allocatable/pods").asText()).isEqualTo("20");
    assertThat(node.at("/status/conditions").findValuesAsText("type"))
        .contains("MemoryPressure", "DiskPressure", "PIDPressure", "Ready");
    var csiNode = bed.api.get(Resources.CSI_NODES, ObjectKey.cluster(NODE));
    assertThat(csiNode.at("/metadata/annotations/storage.alpha.kubernetes.io~1migrated-plugins"))
        .asString()
        .contains("kubernetes.io/aws-ebs,kubernetes.io/azure-disk");
    assertThat(csiNode.at("/spec/drivers/0").toString())
        .contains("\"nodeID\":\"one\"", "[\"zone.example\"]", "{\"count\":7}");
    var lease = ObjectKey.of("kube-node-lease", NODE);
    assertThat(bed.api.get(Resources.LEASES, lease).at("/spec/holderIdentity").asText())
        .isEqualTo(NODE);
  }

  /// As on a cluster on which nobody has applied deploy/node-rights.yaml.
  @Test
  void aKubeletsRightsAreEnough() throws Exception {
    bed.nodeWithItsRights();
    bed.awaitDriver(RecordingDriver.NAME);
    createPod("p", "host", "sleep 60");
    soon().until(() -> bed.pod("p").orElseThrow().at("/status/phase").asText().equals("Running"));
    assertThat(driver.calls(NodePublishVolumeRequest.class)).hasSize(1);
    delete("p");
    soon().until(() -> !driver.calls(NodeUnstageVolumeRequest.class).isEmpty());
    assertThat(bed.log()).content().contains("persistentvolumes may not be watched");
  }

  /// No attachment ever exists of a driver's volumes that need none, and a node is refused what
  /// does not exist.
  @Test
  void aKubeletsRightsAreEnoughAfterARestart() throws Exception {
    var first = bed.nodeWithItsRights();
    bed.awaitDriver(RecordingDriver.NAME);
    createPod("p", "host", "exec sleep 600");
    soon().until(() -> bed.pod("p").orElseThrow().at("/status/phase").asText().equals("Running"));
    first.destroyForcibly().waitFor();
    bed.nodeWithItsRights();
    soon().until(() -> driver.calls(NodePublishVolumeRequest.class).size() == 2);
    assertThat(driver.calls(NodeUnpublishVolumeRequest.class)).isEmpty();
    delete("p");
    soon().until(() -> !driver.calls(NodeUnstageVolumeRequest.class).isEmpty());
  }

  @Test
  void volumesAreMountedEvenIfNoContainerCanRun() throws Exception { // NCSI-02 to NCSI-04, NLAY-04
    bed.node();
    createPod("p", "registry.example/app:1", "sleep 60");
    soon().until(() -> !driver.calls(NodePublishVolumeRequest.class).isEmpty());
    var layout = new Layout(bed.root());
    var uid = bed.pod("p").orElseThrow().at("/metadata/uid").asText();
    var staged = driver.calls(NodeStageVolumeRequest.class).getFirst();
    assertThat(staged.getStagingTargetPath())
        .isEqualTo(layout.stagingTarget(RecordingDriver.NAME, "h1").toString());
    var published = driver.calls(NodePublishVolumeRequest.class).getFirst();
    assertThat(published.getTargetPath())
        .isEqualTo(layout.publishTarget(uid, "pv-data").toString());
    assertThat(published.getVolumeContextMap())
        .containsEntry("kind", "fast")
        .containsEntry("csi.storage.k8s.io/pod.name", "p");
    assertThat(layout.published(uid, "pv-data").resolve("vol_data.json"))
        .content()
        .contains("\"volumeHandle\":\"h1\"", "\"nodeName\":\"node-a\"");
    soon()
        .untilAsserted(() ->
            assertThat(bed.pod("p").orElseThrow().at("/status/containerStatuses/0/state/waiting"))
                .asString()
                .contains("ErrImageNeverPull", "registry.example/app:1"));
    delete("p");
    assertThat(driver.calls(NodeUnpublishVolumeRequest.class)).hasSize(1);
    soon().until(() -> !driver.calls(NodeUnstageVolumeRequest.class).isEmpty());
    soon().until(() -> !Files.exists(layout.pod(uid)));
    soon().until(() -> !Files.exists(layout.staged(RecordingDriver.NAME, "h1")));
  }

  @Test
  void aDriverMakesAVolumeForAPod() throws Exception { // NCSI-11, NCSI-08, NLAY-04, NREC-01
    var agent = bed.node();
    bed.create(
        Resources.PODS,
        """
        metadata: {namespace: default, name: p}
        spec:
          nodeName: node-a
          terminationGracePeriodSeconds: 1
          containers:
          - {name: app, image: no.example/app, volumeMounts: [{name: own, mountPath: /own}]}
          volumes:
          - name: own
            csi: {driver: recording.example, readOnly: true, volumeAttributes: {size: big}}
        """);
    soon().until(() -> !driver.calls(NodePublishVolumeRequest.class).isEmpty());
    var layout = new Layout(bed.root());
    var uid = bed.pod("p").orElseThrow().at("/metadata/uid").asText();
    var published = driver.calls(NodePublishVolumeRequest.class).getFirst();
    assertThat(published.getVolumeId()).isEqualTo("csi-" + Layout.sha256(uid + "own"));
    assertThat(published.getTargetPath()).isEqualTo(layout.publishTarget(uid, "own").toString());
    assertThat(published.getStagingTargetPath()).isEmpty();
    assertThat(published.getReadonly()).isTrue();
    assertThat(published.getVolumeContextMap())
        .containsEntry("csi.storage.k8s.io/ephemeral", "true")
        .containsEntry("size", "big");
    assertThat(layout.published(uid, "own").resolve("vol_data.json"))
        .content()
        .contains("\"specVolID\":\"own\"", "\"volumeLifecycleMode\":\"Ephemeral\"");
    assertThat(bed.registered().at("/status/volumesInUse").toString()).doesNotContain("csi-");
    agent.destroyForcibly().waitFor();
    bed.api.delete(
        Resources.PODS, ObjectKey.of("default", "p"), DeleteOptions.DEFAULT.gracePeriodSeconds(0));
    bed.node();
    soon().until(() -> driver.calls(NodeUnpublishVolumeRequest.class).size() == 1);
    soon().until(() -> !Files.exists(layout.pod(uid)));
    assertThat(driver.calls(NodeStageVolumeRequest.class)).isEmpty();
    assertThat(driver.calls(NodeUnstageVolumeRequest.class)).isEmpty();
  }

  @Test
  void aDeviceIsHandedToAContainer() throws Exception { // NBLK-01, NBLK-03, NBLK-04
    assumeTrue(Files.exists(Path.of("/dev/loop-control")), "no loop devices here");
    var image = Files.write(bed.folder.resolve("image"), "written on the device".getBytes(UTF_8));
    try (var grown = new RandomAccessFile(image.toFile(), "rw")) {
      grown.setLength(1 << 20);
    }
    var loops = new LoopDevices();
    try (var held = loops.attach(image, LoopOptions.of())) {
      driver.device = Optional.of(held.device());
    }
    try {
      bed.bind("raw", "h2", "Block");
      bed.node();
      bed.create(
          Resources.PODS,
          """
          metadata: {namespace: default, name: p}
          spec:
            nodeName: node-a
            restartPolicy: Never
            containers:
            - name: app
              image: host
              command: [sh, -c, "head -c 21 /dev/data > /dev/termination-log"]
              volumeDevices: [{name: raw, devicePath: /dev/data}]
            volumes: [{name: raw, persistentVolumeClaim: {claimName: raw}}]
          """);
      soon()
          .untilAsserted(() ->
              assertThat(
                      bed.pod("p").orElseThrow().at("/status/containerStatuses/0/state").toString())
                  .contains("written on the device"));
      var layout = new Layout(bed.root());
      var staged = driver.calls(NodeStageVolumeRequest.class).getFirst();
      assertThat(staged.getVolumeCapability().hasBlock()).isTrue();
      assertThat(staged.getStagingTargetPath())
          .isEqualTo(bed.root() + "/plugins/kubernetes.io/csi/volumeDevices/staging/pv-raw");
      var uid = bed.pod("p").orElseThrow().at("/metadata/uid").asText();
      assertThat(driver.calls(NodePublishVolumeRequest.class).getFirst().getTargetPath())
          .isEqualTo(bed.root() + "/plugins/kubernetes.io/csi/volumeDevices/publish/pv-raw/" + uid);
      delete("p");
      soon().until(() -> !driver.calls(NodeUnstageVolumeRequest.class).isEmpty());
      soon().until(() -> !Files.exists(layout.device("pv-raw")));
    } finally {
      loops.detach(driver.device.orElseThrow());
    }
  }

  @Test
  void whatRunsOutlivesTheAgent() throws Exception { // NSHT-03, NREC-04, NRUN-12
    assumeTrue(Files.exists(Path.of("/dev/loop-control")), "containers need overlay mounts");
    var first = bed.node();
    createPod("p", "host", "echo here > /data/word; exec sleep 600");
    soon().until(() -> bed.pod("p").orElseThrow().at("/status/phase").asText().equals("Running"));
    var container = bed.pod("p").orElseThrow().at("/status/containerStatuses/0/containerID");
    first.destroyForcibly().waitFor();
    var second = bed.node();
    soon().until(() -> driver.calls(NodePublishVolumeRequest.class).size() == 2);
    second.destroy();
    assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(second.exitValue()).isZero();
    assertThat(driver.calls(NodeUnpublishVolumeRequest.class)).isEmpty();
    bed.node();
    soon().until(() -> driver.calls(NodePublishVolumeRequest.class).size() == 3);
    var pod = bed.pod("p").orElseThrow();
    assertThat(pod.at("/status/containerStatuses/0/containerID")).isEqualTo(container);
    assertThat(pod.at("/status/containerStatuses/0/restartCount").asInt()).isZero();
    assertThat(new Layout(bed.root()).publishTarget(pod.at("/metadata/uid").asText(), "pv-data"))
        .isDirectoryContaining("glob:**/word");
    delete("p");
  }

  @Test
  void aDriverThatGoesIsTakenOut() throws Exception { // NREG-08, NCSN-08
    bed.node();
    bed.awaitDriver(RecordingDriver.NAME);
    driver.close();
    soon()
        .until(() ->
            bed.api
                .get(Resources.CSI_NODES, ObjectKey.cluster(NODE))
                .at("/spec/drivers")
                .isEmpty());
    soon()
        .until(() ->
            bed.registered()
                .at("/metadata/annotations/csi.volume.kubernetes.io~1nodeid")
                .isMissingNode());
  }

  /// A claim that is bound to a place of the machine `node`.
  private void placed(String claim, Path place, String node) throws IOException {
    var made =
        bed.create(
            Resources.CLAIMS,
            """
            metadata: {namespace: default, name: %s}
            spec:
              accessModes: [ReadWriteOnce]
              storageClassName: ""
              volumeName: pv-%s
              resources: {requests: {storage: 1Gi}}
            """
                .formatted(claim, claim));
    bed.create(
        Resources.VOLUMES,
        """
        metadata: {name: pv-%s}
        spec:
          capacity: {storage: 1Gi}
          accessModes: [ReadWriteOnce]
          persistentVolumeReclaimPolicy: Retain
          claimRef: {namespace: default, name: %s, uid: %s}
          local: {path: %s}
          nodeAffinity:
            required:
              nodeSelectorTerms:
              - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [%s]}]
        """
            .formatted(claim, claim, made.at("/metadata/uid").asText(), place, node));
    bed.api.patchStatus(
        Resources.CLAIMS,
        ObjectKey.of("default", claim),
        Patch.merge(NodeBed.yaml("status: {phase: Bound, capacity: {storage: 1Gi}}")));
  }

  private void createPlacedPod(String claim) throws IOException {
    bed.create(
        Resources.PODS,
        """
        metadata: {namespace: default, name: %s}
        spec:
          nodeName: node-a
          restartPolicy: Never
          securityContext: {fsGroup: 1234}
          containers:
          - name: app
            image: host
            command: [sh, -c, "echo $CPU $MEMORY > /data/word"]
            resources: {limits: {cpu: 250m, memory: 64Mi}}
            env:
            - {name: CPU, valueFrom: {resourceFieldRef: {resource: limits.cpu}}}
            - {name: MEMORY, valueFrom: {resourceFieldRef: {resource: limits.memory, divisor: 1Mi}}}
            volumeMounts: [{name: data, mountPath: /data}]
          volumes: [{name: data, persistentVolumeClaim: {claimName: %s}}]
        """
            .formatted(claim, claim));
  }

  @Test
  void aPlaceOfTheMachineIsAVolume() throws Exception { // NRUN-05, NRUN-06, NCSI-12, NOPX-05
    var place = Files.createDirectory(bed.folder.resolve("place"));
    bed.node();
    placed("here", place, "node-a");
    placed("there", place, "node-b");
    createPlacedPod("here");
    soon()
        .until(
            () -> bed.pod("here").orElseThrow().at("/status/phase").asText().equals("Succeeded"));
    assertThat(place.resolve("word")).hasContent("1 64");
    assertThat(Files.getAttribute(place, "unix:gid")).isEqualTo(1234);
    createPlacedPod("there");
    soon()
        .untilAsserted(() ->
            assertThat(
                    bed.pod("there")
                        .orElseThrow()
                        .at("/status/containerStatuses/0/state/waiting/message")
                        .asText())
                .contains("MountVolume.NodeAffinity check failed for volume \"pv-there\""));
    delete("here");
    delete("there");
    assertThat(place.resolve("word")).hasContent("1 64");
  }

  @Test
  void twoAgentsDoNotShareARoot() throws Exception {
    bed.node();
    bed.awaitDriver(RecordingDriver.NAME);
    var other = bed.node();
    assertThat(other.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(other.exitValue()).isEqualTo(1);
    assertThat(bed.log()).content().contains("another node agent works below " + bed.root());
  }
}
