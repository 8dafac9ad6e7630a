package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.controller;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.publish;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unpublish;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.ControllerPublishVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A volume that was published on a node to be read cannot be written to there, also if
/// NodePublishVolume is asked to (CAP-06).
class AttachedReadOnlyTest {
  @AutoClose private DiskWorld world;
  private CsiConnection driver;
  private Path staging;
  private Path target;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    driver = world.node("n1");
    staging = world.directory("staging");
    target = world.directory("pods").resolve("target");
  }

  @Test
  void aFileSystem() throws IOException {
    var id = published(mount(Mode.SINGLE_NODE_WRITER));
    assertThatThrownBy(() -> Files.writeString(target.resolve("file"), "written"))
        .isInstanceOf(IOException.class);
    leave(id);
  }

  @Test
  void aDevice() throws IOException {
    var id = published(block(Mode.SINGLE_NODE_WRITER));
    assertThatThrownBy(() -> Files.write(target, new byte[512], StandardOpenOption.WRITE))
        .isInstanceOf(IOException.class);
    leave(id);
  }

  private String published(VolumeCapability use) throws IOException {
    var id = createVolume(driver, "v", 16 * MIB, use).getVolumeId();
    controller(driver)
        .controllerPublishVolume(
            ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setNodeId("n1")
                .setVolumeCapability(use)
                .setReadonly(true)
                .build());
    stage(driver, id, staging, use);
    publish(driver, id, staging, target, use);
    publish(driver, id, staging, target, use);
    assertThat(target).exists();
    return id;
  }

  private void leave(String id) {
    unpublish(driver, id, target);
    unstage(driver, id, staging);
  }
}
