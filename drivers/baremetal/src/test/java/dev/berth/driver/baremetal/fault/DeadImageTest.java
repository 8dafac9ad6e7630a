package dev.berth.driver.baremetal.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Drives whose image lies on a server that is dead.
class DeadImageTest {
  /// BM-258: the other drives of the machine are found all the same.
  @Test
  void aDeadImageKeepsNobodyFromTheOthers(@TempDir Path folder) throws Exception {
    assumeTrue(
        Files.isWritable(Path.of("/dev/fuse")) && Files.isWritable(Path.of("/dev/loop-control")),
        "needs root, FUSE and loop devices: skipped");
    var place = Files.createDirectory(folder.resolve("place"));
    var sound = Files.write(folder.resolve("sound.img"), new byte[1 << 20]);
    var loops = new LoopDevices();
    try (var faulty = new FaultyFolder(folder, place, Map.of("dead.img", 1L << 20));
        var dead = loops.attach(faulty.file("dead.img"), LoopOptions.UNTIL_UNUSED);
        var other = loops.attach(sound, LoopOptions.UNTIL_UNUSED)) {
      faulty.die();
      assertThat(loops.attached())
          .anyMatch(it -> it.device().equals(other.device()))
          .noneMatch(it -> it.device().equals(dead.device()));
    }
  }
}
