package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.MIB;
import static dev.berth.driver.baremetal.BareMetalWorld.block;
import static dev.berth.driver.baremetal.BareMetalWorld.controller;
import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static dev.berth.driver.baremetal.BareMetalWorld.node;
import static dev.berth.driver.baremetal.BareMetalWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.NodeGetVolumeStatsRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.CsiStatus;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.OperationalStatus;
import dev.berth.driver.baremetal.object.Presence;
import dev.berth.kube.api.Patch;
import dev.berth.kube.object.ObjectKey;
import dev.berth.kube.object.Resources;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A pod starts though a drive of it is not there, where its claim says so, on real loop drives.
class FakeAttachTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static String plan(boolean removed) {
    return """
    nodes:
    - nodeID: a
      driveCount: 1
      drives: [{serialNumber: ONLY, size: 64Mi, removed: %s}]
    """
        .formatted(removed);
  }

  /// As the provisioner and the binder leave them.
  private static void claimed(BareMetalWorld world) throws IOException {
    world.api.create(
        Resources.CLAIMS,
        object(
            """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata: {name: data, namespace: default}
            spec: {volumeName: pvc-1, accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}
            """));
    world.api.create(
        Resources.VOLUMES,
        object(
            """
            apiVersion: v1
            kind: PersistentVolume
            metadata: {name: pvc-1}
            spec:
              capacity: {storage: 64Mi}
              accessModes: [ReadWriteOnce]
              claimRef: {kind: PersistentVolumeClaim, namespace: default, name: data}
              csi: {driver: csi-baremetal, volumeHandle: pvc-1}
            """));
  }

  private static ObjectNode object(String yaml) throws IOException {
    return (ObjectNode) YAML.readTree(yaml);
  }

  private static void allow(BareMetalWorld world) throws IOException {
    world.api.patch(
        Resources.CLAIMS,
        ObjectKey.of("default", "data"),
        Patch.merge(
            object(
                "metadata: {annotations: {pv.attach.kubernetes.io/ignore-if-inaccessible:"
                    + " 'yes'}}")));
  }

  /// BM-37, BM-38, BM-150, BM-151, BM-152, BM-153, BM-154.
  @Test
  void aPodSeesSomethingEmptyUntilItIsStagedAnew() throws Exception {
    try (var world = BareMetalWorld.of(plan(false))) {
      var driver = world.node("a");
      world.drive("ONLY", it -> it.available());
      create(driver, "pvc-1", MIB, mount(""));
      claimed(world);
      show(world, driver, mount(""));
      var target = world.target("pvc-1");
      Files.writeString(target.resolve("file"), "mine");
      hide(world, driver);

      pull(world);
      // BM-154: nobody has allowed it
      assertThatThrownBy(() -> world.stage(driver, "pvc-1", mount("")))
          .isInstanceOf(CsiException.class)
          .hasMessageContaining("is not there; plug it in again");
      allow(world);
      show(world, driver, mount(""));
      show(world, driver, mount(""));
      assertThat(target).isEmptyDirectory();
      assertThatThrownBy(() -> Files.writeString(target.resolve("lost"), "x"))
          .hasMessageContaining("Read-only");
      assertThat(Mounts.ofThisMachine().at(target).orElseThrow().source())
          .isEqualTo("fake-attach:pvc-1");
      var shown = world.volume("pvc-1", it -> it.status() == CsiStatus.PUBLISHED);
      assertThat(shown.fakeAttached()).isTrue();
      assertThat(shown.operational()).isEqualTo(OperationalStatus.MISSING);
      assertThat(condition(driver, target)).contains("FakeAttached");

      // BM-152: that its drive is back changes nothing beneath a pod
      world.plan(plan(false));
      world.drive("ONLY", it -> it.observed().presence() == Presence.ONLINE);
      show(world, driver, mount(""));
      assertThat(target).isEmptyDirectory();
      assertThat(world.volume("pvc-1", _ -> true).operational())
          .isEqualTo(OperationalStatus.MISSING);

      hide(world, driver);
      assertThat(Mounts.ofThisMachine().table().under(target)).isEmpty();
      show(world, driver, mount(""));
      assertThat(Files.readString(target.resolve("file"))).isEqualTo("mine");
      var real = world.volume("pvc-1", it -> it.operational() == OperationalStatus.OPERATIVE);
      assertThat(real.fakeAttached()).isFalse();
      await()
          .atMost(PATIENCE)
          .untilAsserted(() ->
              assertThat(world.events(real.meta().name()))
                  .contains("FakeAttachInvolved", "FakeAttachCleared"));
      hide(world, driver);
    }
  }

  /// BM-150: the same for a device.
  @Test
  void aDeviceIsStoodInForByASmallOne() throws Exception {
    try (var world = BareMetalWorld.of(plan(false))) {
      var driver = world.node("a");
      world.drive("ONLY", it -> it.available());
      create(driver, "pvc-1", MIB, block());
      claimed(world);
      allow(world);
      pull(world);
      show(world, driver, block());
      var target = world.target("pvc-1");
      assertThat(Files.readAllBytes(target)).hasSize(1 << 20).containsOnly(0);
      assertThatThrownBy(() -> Files.write(target, "x".getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(IOException.class);
      hide(world, driver);
      assertThat(target).doesNotExist();
      try (var left = Files.list(world.folder("stage-pvc-1"))) {
        assertThat(left).isEmpty();
      }
    }
  }

  /// BM-154: what is wrong with the file system of a drive that is there is not hidden.
  @Test
  void aDamagedFileSystemOfASharedDriveIsNotHidden() throws Exception {
    try (var world = BareMetalWorld.of(plan(false))) {
      var driver = world.node("a");
      world.drive("ONLY", Drive::available);
      var wanted = wanted("pvc-1", MIB, block()).putParameters("storageType", "SHARED").build();
      var _ = controller(driver).createVolume(wanted);
      claimed(world);
      allow(world);
      world.letGo("ONLY");
      try (var device = FileChannel.open(world.device("a", "ONLY"), StandardOpenOption.WRITE)) {
        device.write(ByteBuffer.allocate(8192), 0);
        device.force(true);
      }
      assertThatThrownBy(() -> world.stage(driver, "pvc-1", block()))
          .isInstanceOf(CsiException.class);
      assertThat(world.volume("pvc-1", _ -> true).fakeAttached()).isFalse();
      assertThat(world.events("pvc-1")).doesNotContain("FakeAttachInvolved");
    }
  }

  private static void pull(BareMetalWorld world) throws IOException {
    world.plan(plan(true));
    world.drive("ONLY", it -> it.observed().presence() == Presence.OFFLINE);
    world.volume("pvc-1", it -> it.operational() == OperationalStatus.MISSING);
  }

  private static void show(BareMetalWorld world, CsiConnection driver, VolumeCapability use)
      throws IOException {
    world.stage(driver, "pvc-1", use);
    world.publish(driver, "pvc-1", use);
  }

  private static void hide(BareMetalWorld world, CsiConnection driver) throws IOException {
    world.unpublish(driver, "pvc-1");
    world.unstage(driver, "pvc-1");
    assertThat(world.all(BareMetalKinds.VOLUME).getFirst().status()).isEqualTo(CsiStatus.CREATED);
  }

  private static String condition(CsiConnection driver, Path path) {
    return node(driver)
        .nodeGetVolumeStats(
            NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId("pvc-1")
                .setVolumePath(path.toString())
                .build())
        .getVolumeCondition()
        .getMessage();
  }
}
