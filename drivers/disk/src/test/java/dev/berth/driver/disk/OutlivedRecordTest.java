package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.delete;
import static dev.berth.driver.disk.DiskWorld.detach;
import static dev.berth.driver.disk.DiskWorld.publish;
import static dev.berth.driver.disk.DiskWorld.published;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unpublish;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A node was restarted with its machine and did not come back, or not yet: what it has written
/// down of a volume that was taken from it holds nobody up.
class OutlivedRecordTest {
  private static final VolumeCapability USE = block(Mode.SINGLE_NODE_WRITER);

  @AutoClose private DiskWorld world;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
  }

  @Test
  void anotherNodeHasTheVolumeAsIfThereWereNone() throws IOException {
    var here = world.node("n1");
    var gone = world.node("n2");
    var id = createVolume(here, "v", 16 * MIB, USE).getVolumeId();
    var staging = world.directory("staging");
    var target = world.directory("pods").resolve("device");
    attach(gone, id, "n2", USE);
    stage(gone, id, staging, USE);
    DiskWorld.node(gone)
        .nodePublishVolume(published(id, staging, target, USE).setReadonly(true).build());
    var records = world.pool.resolve("nodes/n2/volumes");
    var record = records.resolve(world.files("nodes/n2/volumes").getFirst());
    var outlived = Files.readAllBytes(record);
    unpublish(gone, id, target);
    unstage(gone, id, staging);
    detach(here, id, "n2");
    Files.write(record, outlived);

    attach(here, id, "n1", USE);
    stage(here, id, staging, USE);
    publish(here, id, staging, target, USE);
    unpublish(here, id, target);
    unstage(here, id, staging);
    assertThat(world.loops()).isEmpty();
    detach(here, id, "n1");
    delete(here, id);
    assertThat(world.volumeFiles()).isEmpty();
  }
}
