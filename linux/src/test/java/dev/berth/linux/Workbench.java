package dev.berth.linux;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.linux.loop.HeldLoop;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.tool.FileSystemTools;
import dev.berth.linux.tool.FileSystemType;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A directory for real mounts and loop devices. Closing takes down all that was set up below it,
/// also after a failure, and never deletes through a mount.
public final class Workbench implements AutoCloseable {
  public final Mounts mounts = Mounts.ofThisMachine();
  public final LoopDevices loops = new LoopDevices();
  public final FileSystemTools fileSystems = new FileSystemTools(Tools.ofThisMachine());
  private final Path root;
  private final List<Path> devices = new ArrayList<>();

  private Workbench(Path root) {
    this.root = root;
  }

  /// Skips the test where nothing can be mounted.
  public static Workbench open() {
    var machine = new Machine(Tools.ofThisMachine());
    machine.whyNoMounts().ifPresent(why -> assumeTrue(false, why));
    machine.whyNoLoopDevices().ifPresent(why -> assumeTrue(false, why));
    try {
      return new Workbench(Files.createTempDirectory("berth-linux").toRealPath());
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  public Path directory(String name) {
    try {
      return Files.createDirectories(root.resolve(name));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  public Path file(String name, String content) {
    try {
      return Files.writeString(root.resolve(name), content);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  public Path image(String name, long megabytes) {
    var image = root.resolve(name);
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(megabytes << 20);
      return image;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  public HeldLoop attach(Path image, LoopOptions options) {
    var loop = loops.attach(image, options);
    devices.add(image);
    return loop;
  }

  /// Skips the test where `type` cannot be made.
  public void assumeCanMake(FileSystemType type) {
    new Machine(Tools.ofThisMachine()).whyNot(type).ifPresent(why -> assumeTrue(false, why));
  }

  /// A mounted file system on a new image; skips the test where it cannot be made.
  public Path mounted(FileSystemType type, String name, long megabytes) {
    assumeCanMake(type);
    var image = image(name + ".img", megabytes);
    try (var loop = attach(image, LoopOptions.UNTIL_UNUSED)) {
      fileSystems.make(type, loop.device(), List.of());
      var target = directory(name);
      mounts.mount(type.word(), loop.device().toString(), target, MountOptions.NONE);
      return target;
    }
  }

  @Override
  public void close() throws IOException {
    for (var mount : mounts.table().under(root)) mounts.unmount(mount.target(), Unmount.LAZY);
    for (var image : devices)
      if (Files.exists(image)) for (var loop : loops.of(image)) loops.detach(loop.device());
    if (!mounts.table().under(root).isEmpty())
      throw new IllegalStateException("still mounted below " + root);
    try (var paths = Files.walk(root)) {
      for (var path : paths.sorted((a, b) -> b.compareTo(a)).toList()) Files.delete(path);
    }
  }
}
