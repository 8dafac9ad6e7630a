package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.controller;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static dev.berth.driver.disk.DiskWorld.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.CreateSnapshotRequest;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What is in a pool is open to its owner only.
class OwnerOnlyTest {
  @AutoClose private DiskWorld world;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
  }

  @Test
  void whatIsMadeIsNotForOthers() throws IOException {
    live(world.node("n1"));
    assertThat(openToOthers()).isEmpty();
  }

  @Test
  void aPoolThatWasOpenToOthersIsClosed() throws IOException {
    live(world.node("n1"));
    world.stopDrivers();
    var foreign = Files.createFile(world.pool.resolve("notes"));
    for (var place : places())
      Files.setPosixFilePermissions(
          place,
          PosixFilePermissions.fromString(Files.isDirectory(place) ? "rwxr-xr-x" : "rw-r--r--"));
    world.node("n1");
    assertThat(openToOthers()).containsExactly(foreign); // not ours, and behind a closed door
  }

  /// A volume that was formatted, a snapshot and a clone.
  private void live(CsiConnection driver) throws IOException {
    var use = mount(Mode.SINGLE_NODE_WRITER);
    var id = createVolume(driver, "v", 16 * MIB, use).getVolumeId();
    createVolume(driver, "blank", 16 * MIB, use);
    attach(driver, id, "n1", use);
    var staging = world.directory("staging");
    stage(driver, id, staging, use);
    controller(driver)
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName("snap").setSourceVolumeId(id).build());
    var clone = wanted("clone", 16 * MIB, use);
    clone.getVolumeContentSourceBuilder().getVolumeBuilder().setVolumeId(id);
    controller(driver).createVolume(clone.build());
    assertThat(openToOthers()).isEmpty(); // the node's record too
    unstage(driver, id, staging);
  }

  private List<Path> openToOthers() throws IOException {
    return places().stream().filter(OwnerOnlyTest::openToOthers).toList();
  }

  private static boolean openToOthers(Path place) {
    try {
      var permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(place));
      return !permissions.equals(Files.isDirectory(place) ? "rwx------" : "rw-------");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private List<Path> places() throws IOException {
    try (var places = Files.walk(world.pool)) {
      return places.toList();
    }
  }
}
