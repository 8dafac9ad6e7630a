package dev.berth.driver.disk.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whoever uses a volume swaps a folder in it for a link while its files are handed over (CAP-07).
class SwappedFolderTest {
  private static final int WALKS = 1000;

  @TempDir private Path folder;

  @Test
  void nothingBehindTheLinkIsHandedOver() throws Exception {
    assumeTrue(Files.isWritable(Path.of("/dev/loop-control")), "needs root: skipped");
    var elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    var secret = Files.writeString(elsewhere.resolve("secret"), "not ours");
    var root = Files.createDirectory(folder.resolve("root"));
    var real = Files.createDirectory(root.resolve("real"));
    Files.writeString(real.resolve("secret"), "ours");
    var link = Files.createSymbolicLink(root.resolve("link"), elsewhere);
    var over = new AtomicBoolean();
    var swapper =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) swap(real, link, root.resolve("aside"));
            });
    try {
      for (var group = 1; group <= WALKS; group++) new MountGroup(group).own(root);
    } finally {
      over.set(true);
      swapper.join();
    }
    assertThat(group(root)).isEqualTo(WALKS);
    assertThat(group(secret)).isZero();
    assertThat(group(elsewhere)).isZero();
  }

  private static void swap(Path one, Path other, Path aside) {
    try {
      Files.move(one, aside);
      Files.move(other, one);
      Files.move(aside, other);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int group(Path file) throws IOException {
    return (Integer) Files.getAttribute(file, "unix:gid");
  }
}
