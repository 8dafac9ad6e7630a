package dev.berth.node.pod.disk;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.node.pod.start.UnusableException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// Places of the machine, as a pod's `hostPath` volumes want them.
final class HostPaths {
  private HostPaths() {}

  static Path find(String path, String type) throws IOException, UnusableException {
    var place = Path.of(path).normalize();
    if (!place.isAbsolute())
      throw new UnusableException("hostPath \"%s\" is not an absolute path".formatted(path));
    if (type.equals("DirectoryOrCreate")) makeDirectory(place);
    if (type.equals("FileOrCreate")) makeFile(place);
    var status = status(place);
    if (!fits(type, status))
      throw new UnusableException(
          "hostPath type check failed: %s is not %s".formatted(path, wanted(type)));
    return place;
  }

  private static boolean fits(String type, Optional<FileStatus> status) {
    return switch (type) {
      case "" -> status.isPresent();
      case "Directory", "DirectoryOrCreate" -> status.filter(FileStatus::isDirectory).isPresent();
      case "File", "FileOrCreate" -> status.filter(FileStatus::isRegularFile).isPresent();
      case "Socket" -> status.filter(HostPaths::isSocket).isPresent();
      case "CharDevice" -> status.filter(FileStatus::isCharacterDevice).isPresent();
      case "BlockDevice" -> status.filter(FileStatus::isBlockDevice).isPresent();
      default -> false;
    };
  }

  private static String wanted(String type) {
    return switch (type) {
      case "" -> "there; create it, or use type DirectoryOrCreate or FileOrCreate";
      case "Directory", "DirectoryOrCreate" -> "a directory";
      case "File", "FileOrCreate" -> "a file";
      case "Socket" -> "a socket";
      case "CharDevice" -> "a character device";
      case "BlockDevice" -> "a block device";
      default -> "anything that type " + type + " stands for";
    };
  }

  /// Of what the path leads to, links followed.
  private static Optional<FileStatus> status(Path place) throws IOException {
    try {
      return Optional.of(FileStatus.of(Files.exists(place) ? place.toRealPath() : place));
    } catch (LinuxException refused) {
      if (refused.failure() instanceof Failure.Missing) return Optional.empty();
      throw refused;
    }
  }

  private static boolean isSocket(FileStatus status) {
    return (status.mode() & 0xF000) == 0xC000;
  }

  private static void makeDirectory(Path place) throws IOException {
    Files.createDirectories(
        place, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
  }

  private static void makeFile(Path place) throws IOException {
    try {
      Files.createFile(
          place,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--")));
    } catch (FileAlreadyExistsException _) {
      // as it is
    }
  }
}
