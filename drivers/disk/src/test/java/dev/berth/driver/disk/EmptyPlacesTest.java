package dev.berth.driver.disk;

import static dev.berth.driver.disk.DiskWorld.MIB;
import static dev.berth.driver.disk.DiskWorld.assertRefused;
import static dev.berth.driver.disk.DiskWorld.attach;
import static dev.berth.driver.disk.DiskWorld.block;
import static dev.berth.driver.disk.DiskWorld.createVolume;
import static dev.berth.driver.disk.DiskWorld.mount;
import static dev.berth.driver.disk.DiskWorld.publish;
import static dev.berth.driver.disk.DiskWorld.published;
import static dev.berth.driver.disk.DiskWorld.stage;
import static dev.berth.driver.disk.DiskWorld.unpublish;
import static dev.berth.driver.disk.DiskWorld.unstage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.VolumeCapability;
import dev.berth.csi.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What others keep somewhere is never hidden below a volume (NOD-10, NOD-12).
class EmptyPlacesTest {
  private static final VolumeCapability MOUNT = mount(Mode.SINGLE_NODE_WRITER);
  private static final VolumeCapability BLOCK = block(Mode.SINGLE_NODE_WRITER);

  @AutoClose private DiskWorld world;
  private CsiConnection driver;
  private Path staging;
  private Path foreign;

  @BeforeEach
  void makeWorld() throws IOException {
    world = DiskWorld.make();
    driver = world.node("n1");
    staging = world.directory("staging");
    foreign = world.directory("foreign");
    Files.writeString(foreign.resolve("kept"), "kept");
  }

  @Test
  void nothingIsStagedOverWhatOthersKeep() throws IOException {
    var id = attached("v", MOUNT);
    refused(() -> stage(driver, id, foreign, MOUNT));
    assertNothingHidden();
    assertThat(world.loops()).isEmpty();
    stage(driver, id, staging, MOUNT); // the refusal left nothing in the way
    stage(driver, id, staging, MOUNT); // lost+found is in it now: it is our own
    unstage(driver, id, staging);
  }

  @Test
  void nothingIsPublishedOverWhatOthersKeep() throws IOException {
    var id = attached("v", MOUNT);
    stage(driver, id, staging, MOUNT);
    refused(() -> publish(driver, id, staging, foreign, MOUNT));
    publish(driver, id, staging, world.directory("target"), MOUNT);
    unpublish(driver, id, world.folder.resolve("target"));
    unstage(driver, id, staging);
    assertNothingHidden();
  }

  @Test
  void noDeviceIsPublishedOverAFileWithContent() throws IOException {
    var id = attached("v", BLOCK);
    stage(driver, id, staging, BLOCK);
    refused(() -> publish(driver, id, staging, foreign.resolve("kept"), BLOCK));
    unstage(driver, id, staging);
    assertNothingHidden();
  }

  @Test
  void noEphemeralVolumeCoversWhatOthersKeep() throws IOException {
    var request =
        published("pod-volume", staging, foreign, MOUNT)
            .clearStagingTargetPath()
            .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
            .putVolumeContext("size", "16Mi")
            .build();
    refused(() -> DiskWorld.node(driver).nodePublishVolume(request));
    assertNothingHidden();
  }

  private String attached(String name, VolumeCapability use) {
    var id = createVolume(driver, name, 16 * MIB, use).getVolumeId();
    attach(driver, id, "n1", use);
    return id;
  }

  private static void refused(ThrowingCallable call) {
    assertRefused(Status.Code.FAILED_PRECONDITION, "holds something that is not ours", call);
  }

  private void assertNothingHidden() {
    assertThat(world.mounts()).isEmpty();
    assertThat(foreign.resolve("kept")).hasContent("kept");
  }
}
