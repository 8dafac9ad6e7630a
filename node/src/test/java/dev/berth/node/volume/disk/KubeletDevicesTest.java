package dev.berth.node.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kube.model.VolumeName;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.Mounts.State;
import dev.berth.node.testing.Scratch;
import dev.berth.node.volume.VolumeFiles;
import dev.berth.node.volume.VolumeFiles.Trace;
import dev.berth.node.volume.state.Form;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/// Directories, binds and locks of devices on this machine's own loop devices.
@EnabledIf(
    value = "dev.berth.node.testing.Scratch#containersOnDisks",
    disabledReason = "needs root and loop devices")
class KubeletDevicesTest {
  private static final VolumeName NAME = new VolumeName("d.example", "h1");

  private final LoopDevices loops = new LoopDevices();
  private Scratch scratch;
  private VolumeFiles files;
  private Path disk;

  @BeforeEach
  void start() throws Exception {
    scratch = Scratch.open();
    files = new KubeletFiles(scratch.layout, "n", scratch.mounts).of(Form.DEVICE);
    var image = scratch.directory.resolve("image");
    try (var made = new RandomAccessFile(image.toFile(), "rw")) {
      made.setLength(1 << 20);
    }
    try (var held = loops.attach(image, LoopOptions.of())) {
      disk = held.device();
    }
  }

  @AfterEach
  void stop() throws Exception {
    loops.detach(disk);
    scratch.close();
  }

  private void publish(String podUid) throws Exception {
    files.announceStaging(NAME, "pv-1", "");
    files.announcePublication(NAME, podUid, "pv-1", Form.DEVICE);
    Files.createSymbolicLink(files.publishTarget(podUid, "pv-1"), disk);
    files.map(podUid, "pv-1");
  }

  private void unpublish(String podUid) throws Exception {
    files.removeParts(podUid, "pv-1");
    Files.deleteIfExists(files.publishTarget(podUid, "pv-1"));
    files.removePublication(podUid, "pv-1");
  }

  private List<String> locks() {
    return loops.attached().stream()
        .map(loop -> loop.backingFile())
        .filter(file -> file.startsWith(scratch.layout.root().toString()))
        .toList();
  }

  @Test
  void aDeviceIsBoundLinkedAndHeldOpen() throws Exception { // NBLK-01, NLAY-04
    publish("uid-1");
    files.map("uid-1", "pv-1"); // once more, as after a kill
    var map = scratch.layout.deviceMap("uid-1", "pv-1");
    assertThat(scratch.mounts.state(map)).isEqualTo(State.MOUNTED);
    assertThat(locks()).containsExactly(map.toString());
    assertThat(Files.readSymbolicLink(scratch.layout.podDevice("uid-1", "pv-1")))
        .isEqualTo(scratch.layout.publishedDevice("uid-1", "pv-1"));
    assertThat(scratch.layout.deviceData("pv-1").resolve("vol_data.json"))
        .content()
        .contains("\"specVolID\":\"pv-1\"", "\"volumeHandle\":\"h1\"", "\"attachmentID\"")
        .doesNotContain("volumeLifecycleMode");
    assertThat(new KubeletFiles(scratch.layout, "n", scratch.mounts).traces())
        .containsExactly(
            new Trace.Staged(NAME, Optional.empty(), Form.DEVICE),
            new Trace.Published(NAME, "uid-1", "pv-1", Form.DEVICE));
    unpublish("uid-1");
    files.removeStaging(NAME);
  }

  @Test
  void nothingIsLeftOfIt() throws Exception { // NBLK-03
    publish("uid-1");
    publish("uid-2");
    unpublish("uid-1");
    assertThat(files.otherMountsOf(NAME))
        .containsExactly(scratch.layout.deviceMap("uid-2", "pv-1"));
    assertThat(locks()).hasSize(1);
    unpublish("uid-2");
    assertThat(files.otherMountsOf(NAME)).isEmpty();
    assertThat(locks()).isEmpty();
    files.removeStaging(NAME);
    assertThat(scratch.layout.device("pv-1")).doesNotExist();
    assertThat(scratch.layout.stagedDevice("pv-1")).doesNotExist();
    assertThat(scratch.layout.publishedDevices("pv-1")).doesNotExist();
    assertThat(scratch.layout.pod("uid-1").resolve("volumeDevices")).doesNotExist();
  }

  @Test
  void whatHasVanishedIsUnmappedAlready() throws Exception { // NBLK-05
    publish("uid-1");
    Files.delete(scratch.layout.podDevice("uid-1", "pv-1"));
    Files.delete(files.publishTarget("uid-1", "pv-1"));
    for (var loop : loops.attached())
      if (locks().contains(loop.backingFile())) loops.detach(loop.device());
    files.removeParts("uid-1", "pv-1");
    files.removeParts("uid-1", "pv-1");
    files.removePublication("uid-1", "pv-1");
    files.removeStaging(NAME);
    assertThat(Files.exists(scratch.layout.device("pv-1"), LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  @Test
  void whatTheDriverPublishesMustBeADevice() throws Exception { // NBLK-02
    files.announcePublication(NAME, "uid-1", "pv-1", Form.DEVICE);
    Files.createFile(files.publishTarget("uid-1", "pv-1"));
    assertThatThrownBy(() -> files.map("uid-1", "pv-1")).hasMessageContaining("no block device");
    files.removePublication("uid-1", "pv-1");
    files.removeStaging(NAME);
  }

  @Test
  void oneVolumeIsNotStagedUnderTwoNames() throws Exception { // NBLK-07
    files.announceStaging(NAME, "pv-1", "");
    assertThatThrownBy(() -> files.announceStaging(NAME, "pv-2", ""))
        .hasMessageContaining("is already here as the device of volume pv-1");
    files.removeStaging(NAME);
  }

  @Test
  void aDamagedNoteStopsNoOtherVolume() throws Exception {
    var other = scratch.layout.deviceData("pv-0"); // an earlier agent's, read first
    Files.createDirectories(other);
    Files.createFile(other.resolve("vol_data.json"));
    publish("uid-1");
    assertThat(files.otherMountsOf(NAME)).hasSize(1);
    unpublish("uid-1");
    files.removeStaging(NAME);
    assertThat(scratch.layout.device("pv-1")).doesNotExist();
  }

  @Test
  void aNoteThatIsDamagedMeanwhileIsStillOurs() throws Exception {
    publish("uid-1");
    Files.writeString(scratch.layout.deviceData("pv-1").resolve("vol_data.json"), "{");
    assertThat(files.otherMountsOf(NAME)).hasSize(1);
    assertThat(files.stagingTarget(NAME)).isEqualTo(scratch.layout.stagedDevice("pv-1"));
    unpublish("uid-1");
    files.removeStaging(NAME);
    assertThat(scratch.layout.device("pv-1")).doesNotExist();
  }
}
