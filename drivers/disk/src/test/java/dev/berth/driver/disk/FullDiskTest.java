package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.delete;
import static dev.berth.driver.disk.DiskWorld.detach;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.publish;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unpublish;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static dev.berth.driver.disk.DiskWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.ControllerExpandVolumeRequest;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.fsck.PoolCheck;
import dev.berth.linux.file.Durable;
import dev.berth.linux.tool.FileSystemType;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A pool whose disk is full: what does not fit is told as such and leaves nothing behind, and
/// volumes can still be removed.
class FullDiskTest {
  private static final VolumeCapability USE = mount(Mode.SINGLE_NODE_WRITER);

  @AutoClose private DiskWorld world;
  private CsiConnection driver;
  private Path filler;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    world.mountPool(FileSystemType.EXT4, 256 * MIB, 512);
    filler = world.pool.resolve("lost+found/filler");
    driver = world.node("n1");
  }

  private void fill(long left) throws IOException {
    FullPool.fill(world.pool, filler, left);
  }

  @Test
  void whatDoesNotFitIsRefusedAndLeavesNothing() throws Exception {
    var staging = world.directory("staging");
    var target = world.folder.resolve("target");
    var used = createVolume(driver, "used", 64 * MIB, USE).getVolumeId();
    var blank = createVolume(driver, "blank", 64 * MIB, USE).getVolumeId();
    attach(driver, used, "n1", USE);
    attach(driver, blank, "n1", USE);
    stage(driver, used, staging, USE);
    publish(driver, used, staging, target, USE);
    Files.write(
        target.resolve("data"),
        new byte[20 << 20],
        StandardOpenOption.CREATE,
        StandardOpenOption.DSYNC);
    Durable.sync(world.image(used));
    fill(70 * MIB);
    var before = files();

    refused(() ->
        DiskWorld.controller(driver)
            .createVolume(
                wanted("thick", 32 * MIB, USE).putParameters("allocation", "thick").build()));
    refused(() -> snapshot(used)); // its 20 MiB are not in the 6 above the reserve
    fill(0);
    refused(() -> createVolume(driver, "new", MIB, USE));
    refused(() -> stage(driver, blank, world.directory("staging-2"), USE));
    assertThat(files()).isEqualTo(before);
    assertThat(world.mounts()).containsExactlyInAnyOrder(target, staging, world.pool);

    unpublish(driver, used, target);
    unstage(driver, used, staging);
    detach(driver, used, "n1");
    detach(driver, blank, "n1");
    delete(driver, blank);
    delete(driver, used);
    Files.delete(filler);
    delete(driver, createVolume(driver, "new", MIB, USE).getVolumeId());
    world.stopDrivers();
    var report = PoolCheck.check(world.pool);
    assertThat(report.findings()).as(String.join("\n", report.lines())).isEmpty();
  }

  /// What is left is for the volumes that there are (CTL-21).
  @Test
  void aPodsOwnVolumeIsNotMadeInTheReserve() throws Exception {
    var id = "csi-" + "0123456789abcdef".repeat(4);
    var request =
        DiskWorld.published(id, Path.of(""), world.directory("pods").resolve("mount"), USE)
            .clearStagingTargetPath()
            .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
            .putVolumeContext("size", "16Mi");
    fill(40 * MIB);
    refused(() -> DiskWorld.node(driver).nodePublishVolume(request.build()));
    assertThat(world.files("nodes/n1/ephemeral")).isEmpty();
    Files.delete(filler);
    DiskWorld.node(driver).nodePublishVolume(request.build());
    unpublish(driver, id, world.folder.resolve("pods/mount"));
  }

  /// An XFS grows when it is mounted; what is refused then is mounted nowhere (CSR-02).
  @Test
  void aVolumeThatCannotGrowIsNotLeftMounted() throws Exception {
    var use = mount(Mode.SINGLE_NODE_WRITER, "xfs");
    var staging = world.directory("staging");
    var id = createVolume(driver, "xfs", 320 * MIB, use).getVolumeId();
    attach(driver, id, "n1", use);
    stage(driver, id, staging, use);
    unstage(driver, id, staging);
    var expansion = ControllerExpandVolumeRequest.newBuilder().setVolumeId(id);
    expansion.getCapacityRangeBuilder().setRequiredBytes(1024 * MIB);
    DiskWorld.controller(driver).controllerExpandVolume(expansion.build());
    fill(32 << 10); // enough for a record

    refused(() -> stage(driver, id, staging, use));
    assertThat(world.mounts()).containsExactly(world.pool);
    assertThat(world.files("nodes/n1/volumes")).isEmpty();

    Files.delete(filler);
    stage(driver, id, staging, use);
    assertThat(Files.getFileStore(staging).getTotalSpace()).isGreaterThan(900 * MIB);
    unstage(driver, id, staging);
    detach(driver, id, "n1");
  }

  @Test
  void whatAFullPoolAcknowledgedIsThereAfterwards() throws Exception {
    var staging = world.directory("staging");
    var thin = createVolume(driver, "thin", 400 * MIB, USE).getVolumeId();
    attach(driver, thin, "n1", USE);
    stage(driver, thin, staging, USE);
    fill(60 * MIB);
    var acknowledged = FullPool.writeUntilRefused(staging);
    Files.delete(filler);
    unstage(driver, thin, staging);

    stage(driver, thin, staging, USE);
    assertThat(acknowledged).isGreaterThan(10);
    FullPool.assertThere(staging, acknowledged);
    assertThat(world.queue("loop/dio")).containsExactly("1");
    unstage(driver, thin, staging);
  }

  @Test
  void rawDevicesGoPastTheCacheOfThePoolToo() throws IOException {
    var use = DiskWorld.block(Mode.SINGLE_NODE_WRITER);
    var staging = world.directory("staging");
    var raw = createVolume(driver, "raw", 16 * MIB, use).getVolumeId();
    attach(driver, raw, "n1", use);
    stage(driver, raw, staging, use);
    assertThat(world.queue("loop/dio")).containsExactly("1");
    unstage(driver, raw, staging);
  }

  private static void refused(ThrowingCallable call) {
    assertRefused(Status.Code.RESOURCE_EXHAUSTED, "", call);
  }

  private void snapshot(String volume) {
    DiskWorld.controller(driver)
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName("s").setSourceVolumeId(volume).build());
  }

  private List<String> files() throws IOException {
    var files = new ArrayList<>(world.volumeFiles());
    files.addAll(world.files("snapshots"));
    files.addAll(world.files("nodes/n1/volumes"));
    return files;
  }
}
