package dev.berth.driver.baremetal.manager;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.mount.MountTable;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.tool.Content;
import dev.berth.linux.tool.FileSystemTools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Finds out why a device must not be given to anybody (BM-56).
///
/// @param tools say what is on it
public record DeviceLook(FileSystemTools tools) {
  private static final Path BY_NUMBER = Path.of("/sys/dev/block");

  /// All that is in the way, in words that follow "the drive"; empty: nothing.
  ///
  /// @param mounts what is mounted now, read once for all drives
  public List<String> obstacles(Path device, MountTable mounts) {
    var found = new ArrayList<String>();
    try {
      var number = FileStatus.of(device).special();
      var sysfs = BY_NUMBER.resolve(number.toString());
      if (flag(sysfs, "ro")) found.add("is read-only");
      if (flag(sysfs, "hidden")) found.add("is hidden");
      if (flag(sysfs, "removable")) found.add("is removable");
      if (holds(sysfs.resolve("holders"))) found.add("is held by another device");
      if (partitioned(sysfs)) found.add("is partitioned");
      if (mounts.entries().stream().anyMatch(it -> it.source().equals(device.toString())))
        found.add("is mounted");
      content(device, found);
    } catch (LinuxException | IOException e) {
      found.add("cannot be looked at: " + e.getMessage()); // what cannot be read is not blank
    }
    return found;
  }

  private void content(Path device, List<String> found) {
    switch (tools.contentOf(device)) {
      case Content.Blank _ -> {}
      case Content.FileSystem(var type, _, var uuid) ->
          found.add("holds a file system: " + (uuid.isEmpty() ? type : type + " " + uuid));
      case Content.SomethingElse(var type) -> found.add("holds " + type);
      case Content.Ambiguous(var words) -> found.add("holds several things: " + words);
    }
  }

  private static boolean flag(Path sysfs, String name) throws IOException {
    var file = sysfs.resolve(name);
    return Files.exists(file) && !Files.readString(file).strip().equals("0");
  }

  private static boolean holds(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) return false;
    try (var entries = Files.newDirectoryStream(folder)) {
      return entries.iterator().hasNext();
    }
  }

  private static boolean partitioned(Path sysfs) throws IOException {
    if (!Files.isDirectory(sysfs)) return false;
    try (var entries = Files.newDirectoryStream(sysfs)) {
      for (var entry : entries) if (Files.exists(entry.resolve("partition"))) return true;
      return false;
    }
  }
}
