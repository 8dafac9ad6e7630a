package dev.berth.node.volume.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.node.testing.Scratch;
import dev.berth.node.volume.FsGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OwnershipTest {
  private static final int WALKS = 1000;

  @TempDir private Path directory;

  @Test
  void whatAPodSwapsInLeadsNowhere() throws Exception {
    assumeTrue(Scratch.mounts(), "skipped: needs root");
    var host = Files.createDirectory(directory.resolve("host"));
    var secret = Files.writeString(host.resolve("file"), "the host's");
    Files.setAttribute(secret, "unix:mode", 0600);
    var root = Files.createDirectory(directory.resolve("volume"));
    var folder = Files.createDirectory(root.resolve("folder"));
    Files.writeString(folder.resolve("file"), "the volume's");
    var link = Files.createSymbolicLink(root.resolve("link"), host);
    var over = new AtomicBoolean();
    var swapper =
        Thread.ofPlatform()
            .start(() -> {
              while (!over.get()) swap(folder, link, root.resolve("aside"));
            });
    try {
      for (int gid = 1; gid <= WALKS; gid++)
        new Ownership(new FsGroup(gid, true, false)).give(root);
    } finally {
      over.set(true);
      swapper.join();
    }
    assertThat(Files.getAttribute(root, "unix:gid")).isEqualTo(WALKS);
    assertThat(Files.getAttribute(host, "unix:gid")).isEqualTo(0);
    assertThat(Files.getAttribute(secret, "unix:gid")).isEqualTo(0);
    assertThat((int) Files.getAttribute(secret, "unix:mode") & 07777).isEqualTo(0600);
  }

  private static void swap(Path one, Path other, Path aside) {
    try {
      Files.move(one, aside);
      Files.move(other, one);
      Files.move(aside, other);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
