package dev.berth.node.pod.disk;

import dev.berth.node.pod.start.ContentFile;
import dev.berth.node.tree.Trees;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/// A directory whose files change all at once (NRUN-05). Its visible names are links through
/// `..data`, which is swung from one complete version to the next.
final class Content {
  private static final Path DATA = Path.of("..data");
  private static final Path NEXT = Path.of("..data_tmp");
  private static final int GROUP_READ = 0440;

  private final Path directory;

  Content(Path directory) {
    this.directory = directory;
  }

  /// @param group to which the files belong
  void write(List<ContentFile> files, OptionalInt group) throws IOException {
    for (var file : files) check(Path.of(file.path()));
    if (shows(files)) return;
    var version = Files.createTempDirectory(directory, "..v_");
    Files.setPosixFilePermissions(version, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (var file : files) write(version, file, group);
    Files.deleteIfExists(directory.resolve(NEXT));
    Files.createSymbolicLink(directory.resolve(NEXT), version.getFileName());
    Files.move(directory.resolve(NEXT), directory.resolve(DATA), StandardCopyOption.ATOMIC_MOVE);
    link(files);
    removeOld(version);
  }

  private boolean shows(List<ContentFile> files) throws IOException {
    var data = directory.resolve(DATA);
    if (!Files.isDirectory(data)) return false;
    for (var file : files) {
      var shown = data.resolve(file.path());
      if (!Files.isRegularFile(shown) || !Arrays.equals(Files.readAllBytes(shown), file.bytes()))
        return false;
    }
    return names(files).equals(visible());
  }

  private static void write(Path version, ContentFile file, OptionalInt group) throws IOException {
    var path = version.resolve(file.path());
    var parent = path.getParent();
    if (parent != null) Files.createDirectories(parent);
    Files.write(path, file.bytes());
    if (file.owner().isPresent()) Files.setAttribute(path, "unix:uid", file.owner().getAsInt());
    int mode = file.mode();
    if (group.isPresent()) {
      Files.setAttribute(path, "unix:gid", group.getAsInt());
      mode |= GROUP_READ;
    }
    Files.setAttribute(path, "unix:mode", mode);
  }

  /// What the volume shows; the first element of each file's path.
  private void link(List<ContentFile> files) throws IOException {
    var names = names(files);
    for (var name : names) {
      try {
        Files.createSymbolicLink(directory.resolve(name), DATA.resolve(name));
      } catch (FileAlreadyExistsException _) {
        // points through ..data already
      }
    }
    for (var name : visible()) if (!names.contains(name)) Files.delete(directory.resolve(name));
  }

  private void removeOld(Path version) throws IOException {
    try (var entries = Files.newDirectoryStream(directory, "..v_*")) {
      for (var entry : entries)
        if (!entry.equals(version) && Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
          Trees.delete(entry);
    }
  }

  private java.util.Set<Path> visible() throws IOException {
    try (var entries = Files.list(directory)) {
      return entries
          .map(Path::getFileName)
          .filter(name -> !name.toString().startsWith(".."))
          .collect(Collectors.toSet());
    }
  }

  private static java.util.Set<Path> names(List<ContentFile> files) {
    return files.stream().map(file -> Path.of(file.path()).getName(0)).collect(Collectors.toSet());
  }

  private static void check(Path path) throws IOException {
    if (path.isAbsolute() || path.toString().isEmpty() || path.toString().startsWith(".."))
      throw new IOException("\"" + path + "\" cannot be the path of a file in a volume");
    for (var element : path)
      if (element.toString().equals(".."))
        throw new IOException("path \"" + path + "\" must not contain '..'");
  }
}
