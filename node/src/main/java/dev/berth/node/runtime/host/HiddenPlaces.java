package dev.berth.node.runtime.host;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.file.Rooted;
import dev.berth.linux.mount.MountFlag;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Depth;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Takes out of a container's root what is not for it to see.
final class HiddenPlaces {
  private static final MountOptions NOTHING =
      MountOptions.of(MountFlag.NOSUID, MountFlag.NOEXEC, MountFlag.NODEV);

  /// Programs ask these whether an account may be used; the passwords go, the accounts stay.
  private static final Set<Path> ACCOUNTS = Set.of(Path.of("/etc/shadow"), Path.of("/etc/gshadow"));

  private final Mounts mounts;
  private final Rooted inside;
  private final Path empty;

  /// @param empty an empty file
  HiddenPlaces(Mounts mounts, Rooted inside, Path empty) {
    this.mounts = mounts;
    this.inside = inside;
    this.empty = empty;
  }

  /// A few kilobytes of its own in place of what the machine has there.
  void folders(List<Path> folders) {
    for (var folder : folders) {
      var target = inside.find(folder.toString());
      if (target.isPresent() && FileStatus.of(target.get()).isDirectory())
        mounts.mount("tmpfs", "hidden", target.get(), NOTHING.with("mode=0755").with("size=64k"));
    }
  }

  void files(List<Path> files) {
    for (var file : files) inside.find(file.toString()).ifPresent(target -> hide(file, target));
  }

  /// In the layer of changes where there is one: a file that is mounted over could not be replaced,
  /// and tools that change accounts do so.
  private void hide(Path file, Path target) {
    try {
      var accounts = ACCOUNTS.contains(file) ? withoutPasswords(target) : "";
      var attributes = Files.readAttributes(target, "unix:mode,uid,gid");
      Files.delete(target);
      if (accounts.isEmpty()) return;
      Files.writeString(target, accounts, StandardCharsets.ISO_8859_1);
      for (var name : List.of("uid", "gid", "mode"))
        Files.setAttribute(target, "unix:" + name, attributes.get(name));
    } catch (FileSystemException readOnly) {
      mounts.bind(empty, target, Depth.ONE, NOTHING.with(MountFlag.RO));
    } catch (IOException broken) {
      throw new UncheckedIOException("hide " + file, broken);
    }
  }

  private static String withoutPasswords(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1)
        .lines()
        .map(line -> line.replaceFirst("^([^:]*):[^:]*", "$1:*"))
        .collect(Collectors.joining("\n", "", "\n"));
  }
}
