package dev.berth.node.runtime.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.linux.process.Signal;
import dev.berth.node.runtime.ContainerId;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsedImageTest {
  @TempDir private Path scratch;

  /// Who looks meanwhile sees the note before or this one.
  @Test
  void theNoteOfTheImageIsThereWhole() throws Exception {
    var folder =
        new ContainerFolder(
            new ContainerId("pod-1", "app", 0),
            Files.createDirectory(scratch.resolve("container")));
    new UsedImage("sha256:first", List.of("a"), Signal.TERM).writeTo(folder);
    var before = Files.readString(folder.image());
    var opened = Files.createLink(scratch.resolve("opened"), folder.image());
    new UsedImage("sha256:second", List.of("b"), Signal.INT).writeTo(folder);
    assertThat(opened).hasContent(before);
    assertThat(UsedImage.read(folder))
        .contains(new UsedImage("sha256:second", List.of("b"), Signal.INT));
    try (var files = Files.list(folder.directory())) {
      assertThat(files).containsExactly(folder.image());
    }
    for (var damaged : List.of("", "{", "{}")) {
      Files.writeString(folder.image(), damaged);
      assertThatThrownBy(() -> UsedImage.read(folder)).isInstanceOf(UncheckedIOException.class);
    }
  }
}
