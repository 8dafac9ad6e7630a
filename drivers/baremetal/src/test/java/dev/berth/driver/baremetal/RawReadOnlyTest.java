package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.MIB;
import static dev.berth.driver.baremetal.BareMetalWorld.block;
import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.CsiException;
import dev.berth.csi.v1.NodePublishVolumeRequest;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.linux.file.BlockDevice;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// A device that is shown read-only, on a real loop drive.
class RawReadOnlyTest {
  private static final String ONE =
      """
      nodes:
      - nodeID: a
        driveCount: 1
        drives: [{serialNumber: S, size: 64Mi}]
      """;

  private static void publish(
      BareMetalWorld world, CsiConnection driver, Path target, boolean readOnly)
      throws IOException {
    var use = VolumeCapability.newBuilder(block());
    use.getAccessModeBuilder().setMode(Mode.SINGLE_NODE_MULTI_WRITER);
    node(driver)
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId("v")
                .setStagingTargetPath(world.folder("stage-v").toString())
                .setTargetPath(target.toString())
                .setReadonly(readOnly)
                .setVolumeCapability(use)
                .build());
  }

  /// NOD-14, NOD-15: again is done, and nobody who may write comes beside who may not.
  @Test
  void aReadOnlyDeviceStaysSo() throws Exception {
    try (var world = BareMetalWorld.of(ONE)) {
      var driver = world.node("a");
      world.drive("S", Drive::available);
      create(driver, "v", MIB, block());
      world.stage(driver, "v", block());
      publish(world, driver, world.target("v"), true);
      publish(world, driver, world.target("v"), true);
      assertThatThrownBy(() -> publish(world, driver, world.target("beside"), false))
          .isInstanceOf(CsiException.class)
          .hasMessageContaining("read-only");
      assertThat(BlockDevice.isReadOnly(world.device("a", "S"))).isTrue();
      world.unpublish(driver, "v");
      assertThat(BlockDevice.isReadOnly(world.device("a", "S"))).isFalse();
      publish(world, driver, world.target("v"), false);
      publish(world, driver, world.target("v"), false);
      world.unpublish(driver, "v");
      world.unstage(driver, "v");
    }
  }
}
