package dev.berth.driver.baremetal.manager.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.driver.baremetal.manager.FoundDrive;
import dev.berth.driver.baremetal.object.Health;
import dev.berth.linux.loop.LoopDevices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Images of drives, on real loop devices (BM-58).
class LoopbackManagerTest {
  @TempDir private Path folder;

  @BeforeEach
  void needed() throws IOException {
    assumeTrue(
        Files.isWritable(Path.of("/dev/loop-control")), "needs root and loop devices: skipped");
    Files.createDirectory(images());
  }

  @AfterEach
  void detach() throws IOException {
    if (!Files.isDirectory(images())) return;
    var loops = new LoopDevices();
    try (var files = Files.list(images())) {
      for (var image : files.filter(Files::isRegularFile).toList())
        for (var loop : loops.of(image)) loops.detach(loop.device());
    }
  }

  private Path images() {
    return folder.resolve("img");
  }

  private List<FoundDrive> drives(String node, String plan) throws IOException {
    var file = Files.writeString(folder.resolve("drives.yaml"), plan);
    try (var manager = new LoopbackManager(file, images(), node)) {
      return manager.drives();
    }
  }

  /// However names are cut, no two drives are one file.
  @Test
  void noTwoNodesShareAnImage() throws IOException {
    var plan =
        """
        nodes:
        - {nodeID: w1, driveCount: 1, drives: [{serialNumber: 1-Z, size: 1Mi}]}
        - {nodeID: w1-1, driveCount: 1, drives: [{serialNumber: Z, size: 1Mi}]}
        """;
    var one = drives("w1", plan).getFirst();
    var other = drives("w1-1", plan).getFirst();
    assertThat(one.obstacles()).isEmpty();
    assertThat(other.obstacles()).isEmpty();
    assertThat(one.path()).isNotEqualTo(other.path());
  }

  /// BM-54: the second was cut off while it was made by an older version, in place of the third
  /// stands something else, the fourth is larger than most file systems can hold.
  @Test
  void whatIsWrongWithOneDriveIsItsOwnObstacle() throws IOException {
    Files.createFile(images().resolve("a-EMPTY.img"));
    Files.createDirectory(images().resolve("a-FOLDER.img"));
    var plan =
        """
        nodes:
        - nodeID: a
          drives:
          - {serialNumber: GOOD, size: 1Mi}
          - {serialNumber: EMPTY, size: 1Mi}
          - {serialNumber: FOLDER, size: 1Mi}
          - {serialNumber: HUGE, size: 7Ei}
        """;
    var found = drives("a", plan);
    assertThat(drive(found, "GOOD").obstacles()).isEmpty();
    assertThat(drive(found, "GOOD").health()).isEqualTo(Health.GOOD);
    for (var serial : List.of("EMPTY", "FOLDER")) {
      var bad = drive(found, serial);
      assertThat(bad.health()).as(serial).isEqualTo(Health.UNKNOWN);
      assertThat(bad.obstacles()).as(serial).singleElement().asString().contains("cannot be used");
    }
    assertThat(drive(found, "HUGE").size()).isEqualTo(7L << 60);
    var huge = images().resolve("a-HUGE.img");
    assertThat(Files.exists(huge) ? Files.size(huge) : 7L << 60).isEqualTo(7L << 60);
    assertThat(images().resolve("a-HUGE.img.new")).doesNotExist();
  }

  private static FoundDrive drive(List<FoundDrive> found, String serial) {
    return found.stream()
        .filter(it -> it.identity().serial().equals(serial))
        .findFirst()
        .orElseThrow();
  }
}
