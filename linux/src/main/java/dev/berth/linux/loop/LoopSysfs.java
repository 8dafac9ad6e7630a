package dev.berth.linux.loop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// What sysfs shows of loop devices, without a word to one of them.
final class LoopSysfs {
  private static final Path SYSFS = Path.of("/sys/block");
  private static final int PREFIX = "loop".length();

  private LoopSysfs() {}

  /// The devices that have a backing file, in the order of their numbers.
  static List<Path> withFiles() {
    try (var devices = Files.newDirectoryStream(SYSFS, "loop*")) {
      var numbers = new ArrayList<Integer>();
      for (var device : devices)
        if (Files.exists(device.resolve("loop/backing_file")))
          numbers.add(
              Integer.parseInt(
                  Objects.requireNonNull(device.getFileName()).toString().substring(PREFIX)));
      numbers.sort(null);
      return numbers.stream().map(it -> Path.of("/dev/loop" + it)).toList();
    } catch (IOException broken) {
      throw new UncheckedIOException("list " + SYSFS, broken);
    }
  }

  /// The path of a device's file, for people; empty: it has none.
  static String backingFile(Path device) {
    var file = SYSFS.resolve(device.getFileName()).resolve("loop/backing_file");
    try {
      return Files.readString(file).strip();
    } catch (NoSuchFileException _) {
      return ""; // detached a moment ago
    } catch (IOException broken) {
      throw new UncheckedIOException("read " + file, broken);
    }
  }
}
