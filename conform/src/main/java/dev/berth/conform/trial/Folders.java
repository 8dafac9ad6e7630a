package dev.berth.conform.trial;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Folders that a check makes for the driver, as a container orchestrator would.
final class Folders {
  private final Path root;
  private final Deque<Path> made = new ArrayDeque<>();
  private int count;

  Folders(Path root) {
    this.root = root;
  }

  /// A new, empty folder to stage a volume at.
  synchronized Path staging() {
    return make("stage" + ++count);
  }

  /// A path in a new folder, with nothing there yet, to publish a volume at.
  synchronized Path target() {
    return make("pod" + ++count).resolve("volume");
  }

  /// Such a path of exactly so many bytes; longer, if our root is longer already.
  synchronized Path target(int bytes) {
    var folder = make("pod" + ++count);
    var missing = bytes - folder.toString().getBytes(StandardCharsets.UTF_8).length - 1;
    return folder.resolve("v".repeat(Math.max(1, missing)));
  }

  private Path make(String name) {
    try {
      var folder = Files.createDirectory(root.resolve(name));
      made.push(folder);
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder in " + root, e);
    }
  }

  /// Removes what is empty. What is not, perhaps since something is mounted there, stays.
  ///
  /// @return what stays
  synchronized List<Path> remove() {
    var left = new ArrayList<Path>();
    while (!made.isEmpty()) {
      var folder = made.pop();
      try {
        Files.deleteIfExists(folder);
      } catch (IOException notEmpty) {
        if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) left.add(folder);
      }
    }
    return left;
  }
}
