package dev.berth.driver.baremetal.manager.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.driver.baremetal.manager.DriveManager.Locate;
import dev.berth.driver.baremetal.manager.zram.ZramManager;
import dev.berth.driver.baremetal.object.BareMetalKinds;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.DriveIdentity;
import dev.berth.driver.baremetal.object.DriveType;
import dev.berth.linux.loop.LoopDevices;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderManagerTest {
  private static final long SIZE = 4L << 20;

  @TempDir private Path folder;

  private void image(String name) throws IOException {
    try (var file = new RandomAccessFile(folder.resolve(name).toFile(), "rw")) {
      file.setLength(SIZE);
    }
  }

  private static Drive drive(String vid, String pid, String serial) {
    var identity = new DriveIdentity(vid, pid, serial);
    return BareMetalKinds.DRIVE.read().apply(Drive.draft(identity, DriveType.HDD, SIZE, "n", true));
  }

  /// BM-51, BM-55, BM-240: the files are the drives, also after one has gone.
  @Test
  void eachImageIsADrive() throws Exception {
    assumeTrue(
        Files.isWritable(Path.of("/dev/loop-control")), "needs root and loop devices: skipped");
    image("A1.img");
    image("B2.img");
    image("notes.txt");
    Files.createSymbolicLink(folder.resolve("C3.img"), folder.resolve("A1.img"));
    var a = drive("Test", "Folder", "A1");
    try (var manager = new FolderManager(folder)) {
      var found = manager.drives();
      assertThat(found.stream().map(it -> it.identity().serial())).containsExactly("A1", "B2");
      assertThat(found).allMatch(it -> it.size() == SIZE);
      assertThat(manager.find(a)).contains(found.getFirst().path());
      assertThat(manager.find(drive("Test", "Folder", "../A1"))).isEmpty();
      assertThat(manager.find(drive("Test", "Folder", "C3"))).isEmpty();
      assertThat(manager.locate(a, Locate.START)).isEqualTo(manager.locate(a, Locate.STATUS));
      Files.move(folder.resolve("A1.img"), folder.resolve("pulled"));
      assertThat(manager.drives()).hasSize(1);
      assertThat(manager.find(a)).isEmpty();
    } finally {
      var loops = new LoopDevices();
      for (var loop : loops.attached())
        if (loop.backingFile().startsWith(folder.toString())) loops.detach(loop.device());
    }
  }

  /// BM-240: only what is named so, and nothing that has no size.
  @Test
  void onlyNamedDevicesOfCompressedMemoryAreDrives() throws Exception {
    assertThatThrownBy(() -> new ZramManager(Set.of("sda"))).isInstanceOf(IOException.class);
    try (var manager = new ZramManager(Set.of("zram987"))) {
      assertThat(manager.drives()).isEmpty();
      assertThat(manager.find(drive("Linux", "zram", "zram987"))).isEmpty();
    }
  }
}
