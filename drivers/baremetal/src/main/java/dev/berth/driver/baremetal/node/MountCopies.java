package dev.berth.driver.baremetal.node;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.mount.MountTable;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Processes in whose mount name space a device is still mounted though it is not in ours: who
/// begins a name space of its own gets a copy of all mounts, and keeps those that are taken away
/// here.
final class MountCopies {
  private static final Path PROCESSES = Path.of("/proc");

  /// So many are named.
  private static final int MOST = 3;

  private MountCopies() {}

  /// Such as `process 4711 (sleep)`; of those that this process may see.
  static List<String> of(Path device) {
    var found = new ArrayList<String>();
    try (var all = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
      var number = FileStatus.of(device).special().toString();
      for (var process : all) {
        if (found.size() == MOST) break;
        if (shows(process, number, device.toString()))
          found.add("process %s (%s)".formatted(process.getFileName(), name(process)));
      }
    } catch (IOException | LinuxException _) {
      return found;
    }
    return found;
  }

  private static boolean shows(Path process, String number, String device) {
    try {
      return MountTable.parse(Files.readAllBytes(process.resolve("mountinfo"))).entries().stream()
          .anyMatch(it -> it.device().toString().equals(number) || it.source().equals(device));
    } catch (IOException _) {
      return false; // it has ended
    }
  }

  private static String name(Path process) {
    try {
      return Files.readString(process.resolve("comm")).strip();
    } catch (IOException _) {
      return "";
    }
  }
}
