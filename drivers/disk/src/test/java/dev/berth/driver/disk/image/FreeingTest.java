package dev.berth.driver.disk.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.driver.disk.pool.Pool;
import dev.berth.linux.file.Space;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FreeingTest {
  @TempDir Path folder;

  @Test
  void namesAreGoneAtOnceAndBlocksAfterWaiting() throws IOException {
    var freeing = new Freeing();
    var files = IntStream.range(0, 200).mapToObj(i -> folder.resolve("vol-" + i)).toList();
    for (var file : files) Files.write(file, new byte[64 << 10]);
    for (var file : files) {
      freeing.remove(file);
      assertThat(file).doesNotExist();
    }
    freeing.await();
    assertThat(freeing.isDone()).isTrue();
    assertThat(heldOpen()).isEmpty();
  }

  /// The kernel may refuse a thread.
  @Test
  void whereNoThreadIsToBeHadTheCallerFrees() throws IOException {
    var freeing =
        new Freeing(_ -> {
          throw new OutOfMemoryError("no thread");
        });
    var file = Files.write(folder.resolve("vol"), new byte[64 << 10]);
    freeing.remove(file);
    assertThat(file).doesNotExist();
    assertThat(freeing.isDone()).isTrue();
    assertThat(heldOpen()).isEmpty();
  }

  @Test
  void whatIsNotThereIsRemovedAlready() {
    new Freeing().remove(folder.resolve("none"));
  }

  @Test
  void whoAsksForAllRoomWaitsForBlocks() throws IOException {
    try (var pool = Pool.open(folder)) {
      pool.control();
      for (var i = 0; i < 20; i++) {
        var id = pool.volumes().freshId("volume " + i);
        pool.volumes().makeImage(id, 4 << 20);
        Space.reserve(pool.volumes().image(id), 4 << 20);
        pool.volumes().remove(id);
      }
      assertThat(pool.usage().available()).isPositive();
      assertThat(heldOpen()).noneMatch(it -> it.contains("/vol-"));
    }
  }

  private List<String> heldOpen() throws IOException {
    try (var descriptors = Files.list(Path.of("/proc/self/fd"))) {
      return descriptors
          .map(FreeingTest::target)
          .filter(target -> target.startsWith(folder.toString()))
          .toList();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }
}
