package dev.berth.bench.rpc;

import dev.berth.linux.file.Durable;
import dev.berth.linux.loop.LoopDevices;
import dev.berth.linux.loop.LoopOptions;
import dev.berth.linux.loop.LoopOptions.Flag;
import dev.berth.linux.mount.MountFlag;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.mount.Mounts.Depth;
import dev.berth.linux.mount.Mounts.Unmount;
import dev.berth.linux.tool.Tools;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What a kernel and the tools have to do for a volume, and nothing beside: no records, no locks,
/// no looks at what is there already. What a driver needs on top of that is its own.
record Bare(Path folder) {
  private static final LoopOptions LOOP = LoopOptions.of(Flag.DIRECT_IO, Flag.AUTO_CLEAR);
  private static final Duration DEADLINE = Duration.ofMinutes(1);
  private static final Mounts MOUNTS = Mounts.ofThisMachine();

  private Path place(String what, int number) {
    return folder.resolve(what + "-" + number);
  }

  void format(int number) {
    var image = place("image", number);
    try (var file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(Life.BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run("mkfs.ext4", "-q", "-F", "-m", "0", "-E", "nodiscard,lazy_itable_init=1", image.toString());
    Durable.sync(image);
  }

  /// A file system that is there is looked at first, and repaired if need be.
  void check(int number) {
    var image = place("image", number).toString();
    run("blkid", "-p", "-o", "export", image);
    run("e2fsck", "-p", image);
  }

  void mount(int number) {
    var staging = makeFolder(place("staging", number));
    try (var loop = new LoopDevices().attach(place("image", number), LOOP)) {
      MOUNTS.mount("ext4", loop.device().toString(), staging, MountOptions.of(MountFlag.NODEV));
    }
  }

  void bind(int number) {
    var target = makeFolder(place("target", number));
    MOUNTS.bind(place("staging", number), target, Depth.ONE, MountOptions.NONE);
  }

  void unbind(int number) {
    MOUNTS.unmount(place("target", number), Unmount.IF_UNUSED);
    remove(place("target", number));
  }

  void unmount(int number) {
    MOUNTS.unmount(place("staging", number), Unmount.IF_UNUSED);
  }

  void clear(int number) {
    remove(place("staging", number));
    remove(place("image", number));
  }

  private static Path makeFolder(Path path) {
    try {
      return Files.createDirectories(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path path) {
    try {
      Files.delete(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(String... command) {
    var result = Tools.ofThisMachine().run(List.of(command), DEADLINE);
    if (result.exitCode() != 0) throw new IllegalStateException(command[0] + ": " + result.words());
  }
}
