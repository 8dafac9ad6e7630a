package dev.berth.node.runtime.cri;

import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.ContainerId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;

/// What containers say at their end: a file for each, which it has at its termination message path.
final class LastWords {
  /// In bytes; a container may write more.
  private static final int MOST = 4096;

  private final Layout layout;

  LastWords(Layout layout) {
    this.layout = layout;
  }

  Path file(ContainerId id) {
    return layout.container(id.podUid(), id.name()).resolve(id.attempt() + ".message");
  }

  void make(ContainerId id) throws IOException {
    var file = file(id);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException _) {
      // of a start that was cut off
    }
    Files.setAttribute(file, "unix:mode", 0666, LinkOption.NOFOLLOW_LINKS);
  }

  /// Empty if it has said nothing.
  String read(ContainerId id) {
    try (var file = Files.newInputStream(file(id), LinkOption.NOFOLLOW_LINKS)) {
      return new String(file.readNBytes(MOST), StandardCharsets.UTF_8);
    } catch (NoSuchFileException _) {
      return "";
    } catch (IOException broken) {
      throw new UncheckedIOException("read the last words of container " + id, broken);
    }
  }

  void remove(ContainerId id) {
    try {
      Files.deleteIfExists(file(id));
    } catch (IOException broken) {
      throw new UncheckedIOException("remove " + file(id), broken);
    }
  }
}
