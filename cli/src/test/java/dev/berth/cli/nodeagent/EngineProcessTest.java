package dev.berth.cli.nodeagent;

import static dev.berth.cli.nodeagent.NodeBed.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.NodeUnpublishVolumeRequest;
import dev.berth.csi.v1.NodeUnstageVolumeRequest;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.node.layout.Layout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// `berth node` whose containers a real containerd runs.
@Timeout(180)
class EngineProcessTest {
  private Containerd engine;
  private NodeBed bed;
  private RecordingDriver driver;

  @BeforeEach
  void start() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    engine = Containerd.start();
    bed = new NodeBed();
    driver = new RecordingDriver(bed.root());
    bed.create(
        Resources.CSI_DRIVERS,
        "{metadata: {name: recording.example}, spec: {attachRequired: false,"
            + " volumeLifecycleModes: [Persistent]}}");
    bed.bind("data", "h1", "Filesystem");
    bed.create(Resources.CONFIG_MAPS, "{metadata: {namespace: default, name: conf}, data: {k: v}}");
  }

  @AfterEach
  void stop() throws Exception {
    if (driver != null) driver.close();
    if (bed != null) bed.close();
    if (engine != null) engine.close();
  }

  private Process node() throws Exception {
    return bed.node("--container-runtime-endpoint=" + engine.endpoint());
  }

  private void createPod(String image) throws Exception {
    bed.create(
        Resources.PODS,
        """
        metadata: {namespace: default, name: p}
        spec:
          nodeName: node-a
          terminationGracePeriodSeconds: 1
          containers:
          - name: app
            image: %s
            imagePullPolicy: IfNotPresent
            args: [sh, -c, "cat /conf/k > /data/word; echo $((1 + 1)) > /data/two; sleep 600"]
            volumeMounts:
            - {name: data, mountPath: /data}
            - {name: conf, mountPath: /conf}
            - {name: empty, mountPath: /empty}
          volumes:
          - {name: data, persistentVolumeClaim: {claimName: data}}
          - {name: conf, configMap: {name: conf}}
          - {name: empty, emptyDir: {medium: Memory}}
        """
            .formatted(image));
  }

  private String phase() {
    return bed.pod("p").orElseThrow().at("/status/phase").asText();
  }

  @Test
  void whatRunsOutlivesTheAgent() throws Exception { // NRUN-12, NSHT-03, NRUN-16
    var first = node();
    createPod("localhost/busybox:1");
    soon().until(() -> phase().equals("Running"));
    assertThat(bed.registered().at("/status/nodeInfo/containerRuntimeVersion").asText())
        .startsWith("containerd://");
    var layout = new Layout(bed.root());
    var uid = bed.pod("p").orElseThrow().at("/metadata/uid").asText();
    var volume = layout.publishTarget(uid, "pv-data");
    soon().until(() -> Files.exists(volume.resolve("two")));
    assertThat(volume.resolve("word")).hasContent("v");
    var tasks = engine.ctr("tasks", "list", "-q");
    assertThat(tasks).hasSize(2); // the pod's pause, and its container

    first.destroyForcibly().waitFor();
    node();
    soon().until(() -> driver.calls(NodePublishVolumeRequest.class).size() == 2);
    assertThat(phase()).isEqualTo("Running");
    assertThat(bed.pod("p").orElseThrow().at("/status/containerStatuses/0/restartCount").asInt())
        .isZero();
    assertThat(engine.ctr("tasks", "list", "-q")).containsExactlyInAnyOrderElementsOf(tasks);

    bed.api.delete(Resources.PODS, ObjectKey.of("default", "p"), DeleteOptions.DEFAULT);
    soon().until(() -> bed.pod("p").isEmpty());
    assertThat(driver.calls(NodeUnpublishVolumeRequest.class)).hasSize(1);
    soon().until(() -> !driver.calls(NodeUnstageVolumeRequest.class).isEmpty());
    soon().until(() -> !Files.exists(layout.pod(uid)));
    assertThat(engine.ctr("containers", "list", "-q")).isEmpty();
    try (var mounts = Files.lines(Path.of("/proc/self/mountinfo"))) {
      assertThat(mounts.filter(line -> line.contains(layout.pods().toString()))).isEmpty();
    }
  }

  @Test
  void whatIsLeftOfAPodThatWentMeanwhileGoes() throws Exception { // NRUN-16, NREC-01
    var first = node();
    createPod("localhost/busybox:1");
    soon().until(() -> phase().equals("Running"));
    first.destroyForcibly().waitFor();
    bed.api.delete(
        Resources.PODS, ObjectKey.of("default", "p"), DeleteOptions.DEFAULT.gracePeriodSeconds(0));
    node();
    soon().until(() -> engine.ctr("containers", "list", "-q").isEmpty());
    soon().until(() -> !driver.calls(NodeUnstageVolumeRequest.class).isEmpty());
  }

  @Test
  void anImageThatCannotBeHadIsToldAndTriedAgain() throws Exception {
    node();
    createPod("localhost:1/nothing:1");
    soon()
        .untilAsserted(() ->
            assertThat(
                    bed.pod("p")
                        .orElseThrow()
                        .at("/status/containerStatuses/0/state/waiting/reason")
                        .asText())
                .isEqualTo("ImagePullBackOff"));
    bed.api.delete(Resources.PODS, ObjectKey.of("default", "p"), DeleteOptions.DEFAULT);
    soon().until(() -> bed.pod("p").isEmpty());
    assertThat(engine.ctr("containers", "list", "-q")).isEmpty();
  }

  @Test
  void podsKeepTheRuntimeThatRunsThem() throws Exception {
    var first = node();
    createPod("localhost/busybox:1");
    soon().until(() -> phase().equals("Running"));
    first.destroy();
    first.waitFor();
    var other = bed.node("--container-runtime-endpoint=built-in");
    assertThat(other.waitFor()).isNotZero();
    assertThat(bed.log()).content().contains("would be started a second time");
    bed.node("--container-runtime-endpoint="); // nothing is asked for
    soon().until(() -> driver.calls(NodePublishVolumeRequest.class).size() == 2);
    assertThat(bed.pod("p").orElseThrow().at("/status/containerStatuses/0/restartCount").asInt())
        .isZero();
    bed.api.delete(Resources.PODS, ObjectKey.of("default", "p"), DeleteOptions.DEFAULT);
    soon().until(() -> bed.pod("p").isEmpty());
  }
}
