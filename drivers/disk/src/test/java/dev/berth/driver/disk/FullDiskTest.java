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
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.fsck.PoolCheck;
import dev.berth.linux.file.Durable;
import dev.berth.linux.file.Space;
import dev.berth.linux.file.Usage;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import io.grpc.Status;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A pool whose disk is full: what does not fit is told as such and leaves nothing behind, and
/// volumes can still be removed.
class FullDiskTest {
  private static final VolumeCapability USE = mount(Mode.SINGLE_NODE_WRITER);

  private DiskWorld world;
  private CsiConnection driver;
  private Path filler;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    var disk = world.folder.resolve("disk.img");
    try (var file = new RandomAccessFile(disk.toFile(), "rw")) {
      file.setLength(256 * MIB);
    }
    new FileSystemTools(Tools.ofThisMachine()).make(FileSystemType.EXT4, disk, List.of("-m", "0"));
    filler = world.directory("pool").resolve("lost+found/filler");
    try (var loop = new LoopDevices().attach(disk, LoopOptions.UNTIL_UNUSED)) {
      Mounts.ofThisMachine().mount("ext4", loop.device().toString(), world.pool, MountOptions.NONE);
    }
    driver = world.node("n1");
  }

  @AfterEach
  void clean() throws IOException {
    world.close();
  }

  /// Leaves so many bytes free, or not one.
  private void fill(long left) throws IOException {
    Files.write(filler, new byte[1]);
    var size = Usage.of(world.pool).available() - left;
    for (var step = size; step >= 1024; step /= 2)
      try {
        while (Usage.of(world.pool).available() - left >= step) {
          var length = Files.size(filler);
          Space.reserve(filler, length + step);
        }
      } catch (LinuxException full) {
        assertThat(full.failure()).isInstanceOf(Failure.Full.class);
      }
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

  @Test
  void whatAFullPoolAcknowledgedIsThereAfterwards() throws Exception {
    var staging = world.directory("staging");
    var thin = createVolume(driver, "thin", 400 * MIB, USE).getVolumeId();
    attach(driver, thin, "n1", USE);
    stage(driver, thin, staging, USE);
    fill(60 * MIB);
    var acknowledged = writeUntilRefused(staging);
    Files.delete(filler);
    unstage(driver, thin, staging);

    stage(driver, thin, staging, USE);
    assertThat(acknowledged).isGreaterThan(10);
    for (int i = 0; i < acknowledged; i++)
      assertThat(staging.resolve("file-" + i)).hasBinaryContent(content(i));
    assertThat(direct()).containsExactly("1");
    unstage(driver, thin, staging);
  }

  @Test
  void rawDevicesGoPastTheCacheOfThePoolToo() throws IOException {
    var use = DiskWorld.block(Mode.SINGLE_NODE_WRITER);
    var staging = world.directory("staging");
    var raw = createVolume(driver, "raw", 16 * MIB, use).getVolumeId();
    attach(driver, raw, "n1", use);
    stage(driver, raw, staging, use);
    assertThat(direct()).containsExactly("1");
    unstage(driver, raw, staging);
  }

  /// What sysfs says of the devices of this pool.
  private List<String> direct() throws IOException {
    var said = new ArrayList<String>();
    for (var loop : world.loops())
      said.add(Files.readString(Path.of("/sys/block/" + loop.getFileName() + "/loop/dio")).strip());
    return said;
  }

  /// How many files were acknowledged by fsync before the first that was not.
  private static int writeUntilRefused(Path folder) {
    for (int i = 0; ; i++)
      try (var file = new RandomAccessFile(folder.resolve("file-" + i).toFile(), "rw")) {
        file.write(content(i));
        file.getFD().sync();
      } catch (IOException full) {
        return i;
      }
  }

  private static byte[] content(int number) {
    var content = new byte[1_000_000];
    Arrays.fill(content, (byte) (number + 1));
    return content;
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
