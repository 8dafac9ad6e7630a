package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.controller;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static dev.berth.driver.disk.DiskWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.disk.pool.Disk;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.VolumeRecord;
import dev.berth.linux.tool.FileSystemType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A pool on a disk with sectors of 4096 bytes. Its volumes have such sectors too: only so they go
/// past the page cache of the pool. What was made before keeps those that it had.
class LargeSectorsTest {
  private static final String SECTOR = "queue/logical_block_size";
  private static final String DIRECT = "loop/dio";

  @AutoClose private DiskWorld world;
  private CsiConnection driver;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    world.mountPool(FileSystemType.EXT4, 1024 * MIB, 4096);
    driver = world.node("n1");
  }

  @Test
  void whatAFullPoolAcknowledgedIsThereAfterwards() throws Exception {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "thin", 1024 * MIB, use).getVolumeId();
    var staging = staged(id, use);
    assertThat(world.queue(SECTOR)).containsExactly("4096");
    assertThat(world.queue(DIRECT)).containsExactly("1");
    var filler = world.pool.resolve("lost+found/filler");
    FullPool.fill(world.pool, filler, 60 * MIB);
    var acknowledged = FullPool.writeUntilRefused(staging);
    Files.delete(filler);
    unstage(driver, id, staging);
    staged(id, use);
    FullPool.assertThere(staging, acknowledged);
    unstage(driver, id, staging);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs", "btrfs"})
  void everyFileSystemLivesWithThem(String fsType) throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER, fsType);
    var id = createVolume(driver, "source", 320 * MIB, use).getVolumeId();
    var staging = staged(id, use);
    Files.writeString(staging.resolve("file"), "then");
    var copy = restored(snapshot(id), 384 * MIB, use);
    var other = staged(copy, use);
    assertThat(other.resolve("file")).hasContent("then");
    assertThat(world.queue(SECTOR)).containsExactly("4096", "4096");
    assertThat(world.queue(DIRECT)).containsExactly("1", "1");
    unstage(driver, copy, other);
    unstage(driver, id, staging);
  }

  @Test
  void aSmallVolumeCanBeMountedToo() throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "small", 2 * MIB, use).getVolumeId();
    var staging = staged(id, use);
    Files.writeString(staging.resolve("file"), "small");
    unstage(driver, id, staging);
  }

  /// As with every volume that was made before sectors were written down.
  @Test
  void aVolumeWithSmallSectorsKeepsThemAndSoDoItsCopies() throws IOException {
    var use = block(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "old", 16 * MIB, use).getVolumeId();
    withSmallSectors(id);
    var staging = staged(id, use);
    assertThat(world.queue(SECTOR)).containsExactly("512");
    unstage(driver, id, staging);
    var copy = restored(snapshot(id), 16 * MIB, use);
    var other = staged(copy, use);
    assertThat(world.queue(SECTOR)).containsExactly("512");
    unstage(driver, copy, other);
  }

  private void withSmallSectors(String id) throws IOException {
    try (var pool = Pool.open(world.pool)) {
      pool.volumes()
          .change(
              id,
              record ->
                  new VolumeRecord(
                      id,
                      record.capacityBytes(),
                      Disk.SMALL,
                      record.zones(),
                      record.recipe(),
                      record.mutable()));
    }
  }

  private Path staged(String id, VolumeCapability use) throws IOException {
    var directory = world.directory("staging-" + id);
    attach(driver, id, "n1", use);
    stage(driver, id, directory, use);
    return directory;
  }

  private String snapshot(String volume) {
    var request =
        CreateSnapshotRequest.newBuilder().setName("of " + volume).setSourceVolumeId(volume);
    return controller(driver).createSnapshot(request.build()).getSnapshot().getSnapshotId();
  }

  private String restored(String snapshot, long bytes, VolumeCapability use) {
    var request = wanted("from " + snapshot, bytes, use);
    request.getVolumeContentSourceBuilder().getSnapshotBuilder().setSnapshotId(snapshot);
    return controller(driver).createVolume(request.build()).getVolume().getVolumeId();
  }
}
