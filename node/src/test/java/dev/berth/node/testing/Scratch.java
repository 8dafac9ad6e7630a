package dev.berth.node.testing;

import dev.berth.linux.Machine;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import dev.berth.node.layout.Layout;
import dev.berth.node.pod.log.LogLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A kubelet's root for real mounts. Closing unmounts what a failed test has left, and never
/// deletes through a mount.
public final class Scratch implements AutoCloseable {
  public final Mounts mounts = Mounts.ofThisMachine();
  public final Path directory;
  public final Layout layout;
  public final LogLayout logs;

  private Scratch(Path directory) {
    this.directory = directory;
    this.layout = new Layout(directory.resolve("k"));
    this.logs = new LogLayout(directory.resolve("log"));
  }

  /// Whether tests can mount anything here (SYS-32).
  public static boolean mounts() {
    return machine().whyNoMounts().isEmpty();
  }

  /// Whether tests can run containers on real disks here.
  public static boolean containersOnDisks() {
    return machine().whyNoLoopDevices().isEmpty()
        && machine().whyNoContainers().isEmpty()
        && machine().whyNot(FileSystemType.EXT4).isEmpty();
  }

  private static Machine machine() {
    return new Machine(Tools.ofThisMachine());
  }

  public static Scratch open() throws IOException {
    return new Scratch(Files.createTempDirectory("bn").toRealPath());
  }

  /// What a driver's mount is to the agent.
  public void mountAt(Path target) throws IOException {
    Files.createDirectories(target);
    mounts.mount("tmpfs", "tmpfs", target, MountOptions.NONE);
  }

  @Override
  public void close() throws IOException {
    for (var mount : mounts.table().under(directory)) mounts.unmount(mount.target(), Unmount.LAZY);
    if (!mounts.table().under(directory).isEmpty())
      throw new IllegalStateException("still mounted below " + directory);
    try (var paths = Files.walk(directory)) {
      for (var path : paths.sorted((a, b) -> b.compareTo(a)).toList()) Files.delete(path);
    }
  }
}
