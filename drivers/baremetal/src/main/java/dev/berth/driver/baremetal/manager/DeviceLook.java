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
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Finds out why a device must not be given to anybody (BM-56).
///
/// @param tools say what is on it
public record DeviceLook(FileSystemTools tools) {
  private static final Path DEVICES = Path.of("/dev");
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
      if (mounts.entries().stream().anyMatch(it -> it.source().equals(device.toString())))
        found.add("is mounted");
      content(device).ifPresent(found::add);
      partitions(sysfs, mounts).ifPresent(found::add);
    } catch (LinuxException | IOException e) {
      found.add("cannot be looked at: " + e.getMessage()); // what cannot be read is not blank
    }
    return found;
  }

  /// The same of a drive that may have gone.
  public List<String> obstacles(Optional<Path> device, MountTable mounts) {
    return device.map(it -> obstacles(it, mounts)).orElse(List.of("is not there"));
  }

  /// With the id of what is there: another of its kind is another thing to whoever reads of it.
  private Optional<String> content(Path device) {
    return switch (tools.contentOf(device)) {
      case Content.Blank _ -> Optional.empty();
      case Content.FileSystem(var type, _, var uuid) ->
          Optional.of("holds a file system: " + named(type, uuid));
      case Content.SomethingElse(var type, var id) -> Optional.of("holds " + named(type, id));
      case Content.Ambiguous(var words) -> Optional.of("holds several things: " + words);
    };
  }

  private static String named(String type, String id) {
    return id.isEmpty() ? type : type + " " + id;
  }

  /// What each partition is, and holds; empty: there is none.
  private Optional<String> partitions(Path sysfs, MountTable mounts) throws IOException {
    var found = new TreeMap<Integer, String>();
    if (!Files.isDirectory(sysfs)) return Optional.empty();
    try (var entries = Files.newDirectoryStream(sysfs)) {
      for (var entry : entries) {
        var number = word(entry, "partition");
        if (!number.isEmpty()) found.put(Integer.parseInt(number), partition(entry, mounts));
      }
    }
    if (found.isEmpty()) return Optional.empty();
    return Optional.of(
        found.entrySet().stream()
            .map(it -> "%d %s".formatted(it.getKey(), it.getValue()))
            .collect(Collectors.joining(", ", "is partitioned (", ")")));
  }

  private String partition(Path entry, MountTable mounts) throws IOException {
    var place = "at %s+%s".formatted(word(entry, "start"), word(entry, "size"));
    var node = DEVICES.resolve(entry.getFileName());
    var mounted =
        mounts.entries().stream().anyMatch(it -> it.source().equals(node.toString()))
            ? " is mounted and"
            : "";
    try {
      return place + mounted + " " + content(node).orElse("holds nothing");
    } catch (LinuxException e) {
      return place + mounted + " cannot be looked at";
    }
  }

  private static String word(Path sysfs, String name) throws IOException {
    var file = sysfs.resolve(name);
    return Files.isRegularFile(file) ? Files.readString(file).strip() : "";
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
}
