package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.delete;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.loop.LoopOptions.Flag;
import io.grpc.Status;
import java.io.IOException;
import java.nio.channels.FileChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A device shows a volume of which no record says so.
class UnrecordedUseTest {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aVolumeThatADeviceShowsIsNotDeleted(boolean readOnly) throws IOException {
    var options =
        readOnly ? LoopOptions.UNTIL_UNUSED.with(Flag.READ_ONLY) : LoopOptions.UNTIL_UNUSED;
    try (var world = DiskWorld.make()) {
      var driver = world.node("n1");
      var id = createVolume(driver, "v", 16 * MIB, block(Mode.SINGLE_NODE_WRITER)).getVolumeId();
      var image = world.pool.resolve("volumes").resolve(id + ".img");
      try (var _ = new LoopDevices().attach(image, options)) {
        assertRefused(
            Status.Code.FAILED_PRECONDITION, "is in use by /dev/loop", () -> delete(driver, id));
        assertThat(image).exists();
      }
      delete(driver, id);
      assertThat(image).doesNotExist();
    }
  }

  /// Such as a backup: it keeps what it reads.
  @Test
  void aVolumeThatAProcessReadsIsDeleted() throws IOException {
    try (var world = DiskWorld.make()) {
      var driver = world.node("n1");
      var id = createVolume(driver, "v", 16 * MIB, block(Mode.SINGLE_NODE_WRITER)).getVolumeId();
      var image = world.pool.resolve("volumes").resolve(id + ".img");
      try (var _ = FileChannel.open(image)) {
        delete(driver, id);
        assertThat(image).doesNotExist();
      }
    }
  }
}
