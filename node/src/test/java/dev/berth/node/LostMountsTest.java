package dev.berth.node;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.api.DeleteOptions;
import dev.berth.kube.model.VolumeName;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.node.layout.Layout;
import dev.berth.node.pod.disk.KubeletPodFiles;
import dev.berth.node.testing.MemoryDriver;
import dev.berth.node.testing.MemoryRuntime;
import dev.berth.node.testing.Scratch;
import dev.berth.node.testing.TestNode;
import dev.berth.node.volume.disk.KubeletFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/// An agent begins beside file systems whose notes were damaged, such as by a power cut: what may
/// be mounted stays in use, so that nobody detaches it, until it is known whose it is (NREC-03).
@EnabledIf(value = "dev.berth.node.testing.Scratch#mounts", disabledReason = "mounts need root")
class LostMountsTest {
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
        Resources.CSI_DRIVERS,
        "{metadata: {name: disk.berth.dev}, spec: {attachRequired: true, volumeLifecycleModes:"
            + " [Persistent, Ephemeral]}}");
  }

  @AfterEach
  void stop() throws Exception {
    node.close();
    scratch.close();
  }

  private String deletedPod(String volume) {
    var pod =
        node.create(
            Resources.PODS,
            """
            metadata: {namespace: default, name: db}
            spec:
              nodeName: n
              containers:
              - {name: app, image: host, command: [sleep, "1"], volumeMounts: [{name: data, mountPath: /data}]}
              volumes: [{name: data, %s}]
            """
                .formatted(volume));
    node.api().delete(Resources.PODS, ObjectKey.of("default", "db"), DeleteOptions.DEFAULT);
    return pod.at("/metadata/uid").asText();
  }

  private static void damage(Path directory) throws Exception {
    Files.createFile(Files.createDirectories(directory).resolve(Layout.VOL_DATA));
  }

  private void published(String uid, String spec) throws Exception {
    damage(scratch.layout.published(uid, spec));
    Files.createDirectory(scratch.layout.publishTarget(uid, spec));
  }

  private String inUse() {
    return node.node().at("/status/volumesInUse").toString();
  }

  @Test
  void whatIsMountedStaysInUseUntilItIsUndone() throws Exception {
    node.patchStatus(
        Resources.NODES, TestNode.NAME, "status: {volumesInUse: [\"%s\"]}".formatted(NAME));
    node.bind("data", "vol-1");
    var uid = deletedPod("persistentVolumeClaim: {claimName: data}");
    damage(scratch.layout.staged(MemoryDriver.NAME, "vol-1"));
    published(uid, "pv-data");
    node.start(new MemoryRuntime(driver));
    await("found").until(() -> node.agent().mounted().volume(NAME).publications().containsKey(uid));
    await("all found").until(() -> node.agent().mounted().lost().isEmpty());
    assertThat(inUse()).contains("vol-1");
    assertThat(node.pod("db")).isPresent();
    node.drivers().register(MemoryDriver.NAME, driver);
    node.awaitGone("db");
    await("unstaged").until(() -> !Files.exists(scratch.layout.staged(MemoryDriver.NAME, "vol-1")));
    assertThat(driver.calls()).containsExactly("unpublish vol-1", "unstage vol-1");
    await("not in use").until(() -> !inUse().contains("vol-1"));
  }

  @Test
  void aPodsOwnVolumeIsKnownFromThePod() throws Exception {
    var uid = deletedPod("csi: {driver: disk.berth.dev}");
    published(uid, "data");
    node.drivers().register(MemoryDriver.NAME, driver);
    node.start(new MemoryRuntime(driver));
    node.awaitGone("db");
    assertThat(driver.calls()).containsExactly("unpublish csi-" + Layout.sha256(uid + "data"));
  }

  @Test
  void whatNobodyKnowsAndIsNotMountedGoes() throws Exception {
    var uid = deletedPod("persistentVolumeClaim: {claimName: data}");
    published(uid, "pv-gone");
    node.start(new MemoryRuntime(driver));
    node.awaitGone("db");
    assertThat(scratch.layout.pod(uid)).doesNotExist();
    assertThat(driver.calls()).isEmpty();
  }

  /// Somebody has removed the note, or its disk has lost it.
  @Test
  void whatIsStagedWithoutANoteIsUnstaged() throws Exception {
    node.bind("data", "vol-1");
    Files.createDirectories(scratch.layout.stagingTarget(MemoryDriver.NAME, "vol-1"));
    node.start(new MemoryRuntime(driver));
    await("found").until(() -> node.agent().mounted().volumes().containsKey(NAME));
    node.drivers().register(MemoryDriver.NAME, driver);
    await("unstaged").until(() -> !Files.exists(scratch.layout.staged(MemoryDriver.NAME, "vol-1")));
    assertThat(driver.calls()).containsExactly("unstage vol-1");
  }

  @Test
  void whatIsPublishedWithoutANoteIsUnpublished() throws Exception {
    node.bind("data", "vol-1");
    var uid = deletedPod("persistentVolumeClaim: {claimName: data}");
    Files.createDirectories(scratch.layout.publishTarget(uid, "pv-data"));
    node.drivers().register(MemoryDriver.NAME, driver);
    node.start(new MemoryRuntime(driver));
    node.awaitGone("db");
    assertThat(driver.calls()).startsWith("unpublish vol-1");
  }

  /// As some kubelets leave it of drivers that do not stage (NCSI-18).
  @Test
  void whatIsStagedWithoutANoteAndKnownToNobodyGoesUnlessItIsMounted() throws Exception {
    var empty = scratch.layout.stagingTarget(MemoryDriver.NAME, "vol-8");
    var mounted = scratch.layout.stagingTarget(MemoryDriver.NAME, "vol-9");
    Files.createDirectories(empty);
    scratch.mountAt(mounted);
    node.patchStatus(
        Resources.NODES, TestNode.NAME, "status: {volumesInUse: [\"%s\"]}".formatted(NAME));
    node.drivers().register(MemoryDriver.NAME, driver);
    node.start(new MemoryRuntime(driver));
    await("the empty one has gone").until(() -> !Files.exists(empty.getParent()));
    await("another volume is not kept by it").until(() -> !inUse().contains("vol-1"));
    await("it is known").until(() -> node.agent().mounted().lost().size() == 1);
    assertThat(mounted).exists();
    assertThat(driver.calls()).isEmpty();
    scratch.mounts.unmount(mounted, Unmount.IF_UNUSED);
    await("it has gone, too").until(() -> !Files.exists(mounted.getParent()));
  }

  @Test
  void whatNobodyKnowsAndIsMountedStays() throws Exception {
    var uid = deletedPod("persistentVolumeClaim: {claimName: data}");
    published(uid, "pv-gone");
    scratch.mountAt(scratch.layout.publishTarget(uid, "pv-gone"));
    node.start(new MemoryRuntime(driver));
    await("the pod's end waits")
        .until(() -> String.valueOf(node.agent().pods().waits()).contains("cannot be read"));
    await("it was looked for").until(() -> !node.agent().mounted().lost().isEmpty());
    assertThat(node.pod("db")).isPresent();
    // Once it is unmounted by hand, all goes.
    scratch.mounts.unmount(scratch.layout.publishTarget(uid, "pv-gone"), Unmount.IF_UNUSED);
    node.awaitGone("db");
  }
}
