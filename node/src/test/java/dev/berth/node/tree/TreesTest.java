package dev.berth.node.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.node.testing.Scratch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TreesTest {
  @AutoClose private Scratch scratch;
  private Path tree;

  @BeforeEach
  void open() throws IOException {
    scratch = Scratch.open();
    tree = Files.createDirectories(scratch.directory.resolve("tree"));
  }

  @Test
  void aTreeGoesAndWhatItsLinksPointToStays() throws IOException {
    var outside = Files.createDirectory(scratch.directory.resolve("outside"));
    Files.writeString(outside.resolve("file"), "precious");
    Files.createSymbolicLink(Files.createDirectories(tree.resolve("a/b")).resolve("l"), outside);
    Trees.delete(tree);
    assertThat(tree).doesNotExist();
    assertThat(outside.resolve("file")).hasContent("precious");
    Trees.delete(tree); // and once more
  }

  @Test
  void nothingIsDeletedAcrossAMount() throws IOException {
    assumeTrue(Scratch.mounts(), "skipped: needs root");
    var mounted = tree.resolve("a/mounted");
    scratch.mountAt(mounted);
    Files.writeString(mounted.resolve("file"), "precious");
    assertThatThrownBy(() -> Trees.delete(tree))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("on another file system");
    assertThat(mounted.resolve("file")).hasContent("precious");
  }
}
