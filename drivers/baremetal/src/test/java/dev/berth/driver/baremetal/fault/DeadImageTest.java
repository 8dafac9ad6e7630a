package dev.berth.driver.baremetal.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.driver.baremetal.fault.FaultyFolder.Fault;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

  /// BM-06, BM-258: nor does one that is not answered, and nobody takes it for none.
  @Test
  void anImageThatHangsKeepsNobodyFromTheOthers(@TempDir Path folder) throws Exception {
    assumeTrue(
        Files.isWritable(Path.of("/dev/fuse")) && Files.isWritable(Path.of("/dev/loop-control")),
        "needs root, FUSE and loop devices: skipped");
    var place = Files.createDirectory(folder.resolve("place"));
    var sound = Files.write(folder.resolve("sound.img"), new byte[1 << 20]);
    var same = Files.write(folder.resolve("hangs.img"), new byte[1 << 20]);
    var loops = new LoopDevices();
    var sizes = Map.of("hangs.img", 1L << 20);
    var store = Files.createDirectory(folder.resolve("store"));
    try (var faulty = new FaultyFolder(store, place, sizes);
        var hung = loops.attach(faulty.file("hangs.img"), LoopOptions.UNTIL_UNUSED);
        var other = loops.attach(sound, LoopOptions.UNTIL_UNUSED)) {
      faulty.set("hangs.img", Fault.SILENT);
      for (int looks = 0; looks < 2; looks++)
        assertThat(loops.attached())
            .anyMatch(it -> it.device().equals(other.device()))
            .noneMatch(it -> it.device().equals(hung.device()));
      assertThat(loops.of(sound)).hasSize(1);
      assertThatThrownBy(() -> loops.anyOf(same)).hasMessageContaining(hung.device().toString());
      faulty.endFaults();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> loops.attached().stream().anyMatch(it -> it.device().equals(hung.device())));
      assertThat(loops.anyOf(same)).isEmpty();
    }
  }
}
