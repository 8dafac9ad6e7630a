package dev.berth.driver.baremetal;

import static dev.berth.driver.baremetal.BareMetalWorld.create;
import static dev.berth.driver.baremetal.BareMetalWorld.delete;
import static dev.berth.driver.baremetal.BareMetalWorld.mount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.berth.driver.baremetal.object.Drive;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Device names move when a machine starts anew; serial numbers stay.
class MovedNamesTest {
  private static final String PLAN =
      """
      nodes: [{nodeID: a, driveCount: 2, drives:
        [{serialNumber: A, size: 64Mi}, {serialNumber: B, size: 96Mi}]}]
      """;

  /// BM-05, BM-23, BM-55, BM-262: each volume is found on its drive, under whatever name that is by
  /// now.
  @Test
  void aVolumeIsOnItsDriveWhateverThatIsCalled() throws Exception {
    try (var world = BareMetalWorld.of(PLAN)) {
      var driver = world.node("a");
      for (var serial : List.of("A", "B")) world.drive(serial, Drive::available);
      create(driver, "on-a", 1, mount("ext4"));
      create(driver, "on-b", 1, mount("ext4"));
      var before = new HashMap<String, String>();
      for (var id : List.of("on-a", "on-b")) {
        world.stage(driver, id, mount("ext4"));
        Files.writeString(world.folder("stage-" + id).resolve("file"), id);
        world.unstage(driver, id);
        before.put(id, world.volume(id, _ -> true).location());
      }
      var first = world.device("a", "A");
      var second = world.device("a", "B");
      world.end();
      move(world);
      assumeFalse(
          world.device("a", "A").equals(first) && world.device("a", "B").equals(second),
          "others had let go of the same devices: skipped");
      var next = world.node("a");
      for (var serial : List.of("A", "B")) {
        var device = world.device("a", serial).toString();
        world.drive(serial, it -> it.observed().path().equals(device));
      }
      for (var id : List.of("on-a", "on-b")) {
        world.stage(next, id, mount("ext4"));
        assertThat(world.folder("stage-" + id).resolve("file")).hasContent(id);
        world.unstage(next, id);
        assertThat(world.volume(id, _ -> true).location()).isEqualTo(before.get(id));
        delete(next, id);
      }
    }
  }

  /// Attaches the images anew, to devices that neither had if others have these by now.
  private static void move(BareMetalWorld world) throws Exception {
    var loops = new LoopDevices();
    var others = new ArrayList<Path>();
    for (int i = 0; i < 2; i++) {
      var image = Files.write(world.folder.resolve("other" + i), new byte[1 << 20]);
      others.add(attached(loops, image));
    }
    for (var serial : List.of("B", "A")) attached(loops, world.image("a", serial));
    others.forEach(loops::detach);
  }

  private static Path attached(LoopDevices loops, Path image) {
    try (var loop = loops.attach(image, LoopOptions.of(LoopOptions.Flag.PARTITIONS))) {
      return loop.device();
    }
  }
}
