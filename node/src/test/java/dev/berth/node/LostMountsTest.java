package dev.berth.node;

import static dev.berth.node.testing.TestNode.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.NodeServiceCapability.RPC;
import dev.berth.kube.api.Api;
import dev.berth.kube.api.ApiException;
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
import dev.berth.node.volume.LostMountEffects;
import dev.berth.node.volume.LostMounts;
import dev.berth.node.volume.Reconstruction;
import dev.berth.node.volume.disk.KubeletFiles;
import dev.berth.node.volume.state.ActualState;
import dev.berth.node.volume.state.Form;
import dev.berth.node.volume.state.Lost;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
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
    return deletedPod("db", volume);
  }

  private String deletedPod(String name, String volume) {
    var uid = pod(name, volume);
    node.api().delete(Resources.PODS, ObjectKey.of("default", name), DeleteOptions.DEFAULT);
    return uid;
  }

  private String pod(String name, String volume) {
    var pod =
        node.create(
            Resources.PODS,
            """
            metadata: {namespace: default, name: %s}
            spec:
              nodeName: n
              containers:
              - {name: app, image: host, command: [sleep, "1"], volumeMounts: [{name: data, mountPath: /data}]}
              volumes: [{name: data, %s}]
            """
                .formatted(name, volume));
    return pod.at("/metadata/uid").asText();
  }

  private static void damage(Path directory) throws Exception {
    Files.createFile(Files.createDirectories(directory).resolve(Layout.VOL_DATA));
  }

  private void published(String uid, String spec) throws Exception {
    damage(scratch.layout.published(uid, spec));
    Files.createDirectory(scratch.layout.publishTarget(uid, spec));
  }

  private static VolumeName own(String uid) {
    return new VolumeName(MemoryDriver.NAME, "csi-" + Layout.sha256(uid + "data"));
  }

  /// As a server whose Node authorizer shows no PersistentVolume.
  private static Api withoutVolumes(Api api) {
    return (Api)
        Proxy.newProxyInstance(
            Api.class.getClassLoader(),
            new Class<?>[] {Api.class},
            (_, method, arguments) -> {
              if (Resources.VOLUMES.equals(arguments[0]))
                throw new ApiException(403, "Forbidden", "no relationship found");
              try {
                return method.invoke(api, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
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

  /// The replicas of one Deployment call their own volumes alike, and a driver deletes one by its
  /// handle alone.
  @Test
  void aPodsOwnVolumeIsNotTakenForAnotherPodsOfTheSameName() throws Exception {
    var live = pod("web", "csi: {driver: disk.berth.dev}");
    var leaving = deletedPod("csi: {driver: disk.berth.dev}");
    new KubeletFiles(scratch.layout, TestNode.NAME, scratch.mounts)
        .announcePublication(own(live), live, "data", Form.INLINE);
    published(leaving, "data");
    node.start(new MemoryRuntime(driver));
    await("found").until(() -> node.agent().mounted().volumes().containsKey(own(leaving)));
    node.drivers().register(MemoryDriver.NAME, driver);
    node.awaitGone("db");
    assertThat(driver.calls())
        .contains("unpublish " + own(leaving).handle())
        .doesNotContain("unpublish " + own(live).handle());
  }

  @Test
  void ownVolumesOfTheSameNameAreToldApartWhenAllNotesAreDamaged() throws Exception {
    var live = pod("web", "csi: {driver: disk.berth.dev}");
    var leaving = deletedPod("csi: {driver: disk.berth.dev}");
    published(live, "data");
    published(leaving, "data");
    node.start(new MemoryRuntime(driver));
    await("both are found").until(() -> node.agent().mounted().lost().isEmpty());
    var mounted = node.agent().mounted();
    assertThat(mounted.volume(own(live)).publications()).containsOnlyKeys(live);
    assertThat(mounted.volume(own(leaving)).publications()).containsOnlyKeys(leaving);
    node.drivers().register(MemoryDriver.NAME, driver);
    node.awaitGone("db");
    assertThat(driver.calls())
        .contains("unpublish " + own(leaving).handle())
        .doesNotContain("unpublish " + own(live).handle());
  }

  @Test
  void aPodsOwnVolumeIsNotTakenForAPersistentVolumeOfTheSameName() throws Exception {
    node.create(
        Resources.VOLUMES,
        """
        metadata: {name: data}
        spec:
          capacity: {storage: 64Mi}
          accessModes: [ReadWriteOnce]
          csi: {driver: disk.berth.dev, volumeHandle: vol-1}
        """);
    var uid = deletedPod("csi: {driver: disk.berth.dev}");
    published(uid, "data");
    node.drivers().register(MemoryDriver.NAME, driver);
    node.start(new MemoryRuntime(driver));
    node.awaitGone("db");
    assertThat(driver.calls()).containsExactly("unpublish " + own(uid).handle());
  }

  /// A kubelet's rights do not show it a PersistentVolume that no pod of its node has.
  @Test
  void aVolumeThatTheNodeMayNotSeeIsUnknown() throws Exception {
    var files = new KubeletFiles(scratch.layout, TestNode.NAME, scratch.mounts);
    published("gone", "pv-gone");
    var mount = new Lost.Published("gone", "pv-gone");
    var state = new ActualState(Reconstruction.from(files));
    assertThat(state.now().lost()).containsExactly(mount);
    new LostMountEffects(TestNode.NAME, withoutVolumes(node.api()), files, state)
        .carryOut(new LostMounts.Find(mount));
    assertThat(state.now().lost()).isEmpty();
    assertThat(scratch.layout.published("gone", "pv-gone")).doesNotExist();
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
  void whatIsStagedWithADamagedNoteAndKnownToNobodyGoesLikewise() throws Exception { // NREC-03
    var unmounted = scratch.layout.staged(MemoryDriver.NAME, "vol-8");
    var mounted = scratch.layout.staged(MemoryDriver.NAME, "vol-9");
    damage(unmounted);
    Files.createDirectory(unmounted.resolve(Layout.STAGING_TARGET));
    damage(mounted);
    scratch.mountAt(mounted.resolve(Layout.STAGING_TARGET));
    node.drivers().register(MemoryDriver.NAME, driver);
    node.start(new MemoryRuntime(driver));
    await("the unmounted one has gone").until(() -> !Files.exists(unmounted));
    await("the other is known").until(() -> node.agent().mounted().lost().size() == 1);
    assertThat(mounted.resolve(Layout.VOL_DATA)).exists();
    scratch.mounts.unmount(mounted.resolve(Layout.STAGING_TARGET), Unmount.IF_UNUSED);
    await("it has gone, too").until(() -> !Files.exists(mounted));
    assertThat(driver.calls()).isEmpty();
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
