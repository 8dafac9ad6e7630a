package dev.berth.node.runtime.host;

import dev.berth.linux.file.DeviceNode;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.file.Rooted;
import dev.berth.linux.mount.MountFlag;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.MountTree;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.node.runtime.ContainerDevice;
import dev.berth.node.runtime.ContainerSpec.Rights;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A container's `/dev`: in memory, with the nodes that programs expect. A privileged container
/// finds a node for each device of the machine; those that appear later it does not see unless it
/// mounts the machine's `/dev`.
final class DeviceFolder {
  private static final Path MACHINE = Path.of("/dev");
  private static final List<String> USUAL =
      List.of("null", "zero", "full", "random", "urandom", "tty");
  private static final Map<String, String> LINKS =
      Map.of(
          "fd", "/proc/self/fd",
          "stdin", "/proc/self/fd/0",
          "stdout", "/proc/self/fd/1",
          "stderr", "/proc/self/fd/2",
          "ptmx", "pts/ptmx");

  private final Mounts mounts;
  private final Rooted inside;
  private final Rights rights;

  DeviceFolder(Mounts mounts, Rooted inside, Rights rights) {
    this.mounts = mounts;
    this.inside = inside;
    this.rights = rights;
  }

  /// Makes it. The caller's umask must be 0.
  void build() {
    var quiet = MountOptions.of(MountFlag.NOSUID, MountFlag.NOEXEC);
    var dev = inside.directory("/dev");
    mounts.mount("tmpfs", "dev", dev, quiet.with("mode=0755").with("size=1m"));
    for (var name : USUAL)
      DeviceNode.make(dev.resolve(name), FileStatus.of(MACHINE.resolve(name)), 0666);
    LINKS.forEach((name, target) -> link(dev.resolve(name), target));
    mounts.mount(
        "devpts",
        "devpts",
        inside.directory("/dev/pts"),
        quiet.with("newinstance").with("ptmxmode=0666").with("mode=0620").with("gid=5"));
    mounts.mount(
        "tmpfs",
        "shm",
        inside.directory("/dev/shm"),
        quiet.with(MountFlag.NODEV).with("mode=1777").with("size=64m"));
    if (rights == Rights.PRIVILEGED) copyAll(MACHINE, "/dev");
  }

  /// Adds devices of the machine (NBLK-04), wherever they are wanted: on the root of a container no
  /// device opens, so their nodes are made apart and mounted.
  ///
  /// @param apart an empty directory outside of the root
  static void add(Mounts mounts, Rooted inside, Path apart, List<ContainerDevice> devices) {
    if (devices.isEmpty()) return;
    var quiet = MountOptions.of(MountFlag.NOSUID, MountFlag.NOEXEC);
    mounts.mount("tmpfs", "devices", apart, quiet.with("mode=0755").with("size=1m"));
    for (int i = 0; i < devices.size(); i++) {
      var device = devices.get(i);
      var node = apart.resolve(Integer.toString(i));
      DeviceNode.make(node, status(device), permissions(device));
      try (var copy = MountTree.copyOf(node, Depth.ONE);
          var place = inside.openFile(device.target())) {
        copy.attachOnThisThread(place);
      }
    }
  }

  private static FileStatus status(ContainerDevice device) {
    try {
      var status = FileStatus.of(device.source().toRealPath());
      if (!isDevice(status))
        throw new IllegalArgumentException(device.source() + " is not a device");
      return status;
    } catch (IOException broken) {
      throw new UncheckedIOException("add device " + device.source(), broken);
    }
  }

  private static int permissions(ContainerDevice device) {
    int permissions = status(device).mode() & 0777;
    return device.access() == ContainerDevice.Access.READ_ONLY ? permissions & 0444 : permissions;
  }

  /// Walks the machine's devices without crossing into what is mounted below, such as `pts`.
  private void copyAll(Path directory, String target) {
    var here = inside.directory(target);
    try (var entries = Files.newDirectoryStream(directory)) {
      for (var entry : entries) {
        var status = FileStatus.of(entry);
        var name = entry.getFileName().toString();
        if (status.isDirectory() && !status.mountRoot()) copyAll(entry, target + "/" + name);
        else if (isDevice(status) && !Files.exists(here.resolve(name)))
          DeviceNode.make(here.resolve(name), status, status.mode() & 0777);
      }
    } catch (IOException broken) {
      throw new UncheckedIOException("list the devices of " + directory, broken);
    }
  }

  private static boolean isDevice(FileStatus status) {
    return status.isBlockDevice() || status.isCharacterDevice();
  }

  private static void link(Path link, String target) {
    try {
      Files.createSymbolicLink(link, Path.of(target));
    } catch (IOException broken) {
      throw new UncheckedIOException("make " + link, broken);
    }
  }
}
