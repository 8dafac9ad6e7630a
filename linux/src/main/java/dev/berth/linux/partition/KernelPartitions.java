package dev.berth.linux.partition;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.berth.linux.file.DeviceNumber;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import dev.berth.linux.sys.SystemCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// The partitions that the kernel has of a device. It knows them from its own parsers, or because
/// it was told (as by `partx`): both look the same here.
public final class KernelPartitions {
  private static final long BLKPG = 0x1269;
  private static final int ADD = 1;
  private static final int REMOVE = 2;

  /// `struct blkpg_ioctl_arg` and `struct blkpg_partition`, one behind the other.
  private static final long ARGUMENT = 24;

  private static final int PARTITION = 152;
  private static final long SECTOR = 512;
  private static final Path BY_NUMBER = Path.of("/sys/dev/block");

  private KernelPartitions() {}

  /// Whether this kind of device can have partitions: some, as zram, cannot.
  public static boolean possible(Path device) {
    var range = text(sysfs(device).resolve("ext_range"));
    return !range.isEmpty() && !range.equals("1");
  }

  /// Bytes of a logical block of a device.
  public static int sector(Path device) {
    var size = text(sysfs(device).resolve("queue/logical_block_size"));
    return size.isEmpty() ? (int) SECTOR : Integer.parseInt(size);
  }

  /// The node of a partition, if the kernel has it of this very device, there and of that length.
  public static Optional<Path> find(Path device, Partition partition) {
    var folder = sysfs(device);
    try (var entries = Files.newDirectoryStream(folder)) {
      for (var entry : entries)
        if (text(entry.resolve("partition")).equals(Integer.toString(partition.number())))
          return same(entry, partition)
              ? Optional.of(Path.of("/dev").resolve(entry.getFileName()))
              : Optional.empty();
      return Optional.empty();
    } catch (IOException gone) {
      return Optional.empty();
    }
  }

  private static boolean same(Path entry, Partition partition) {
    return text(entry.resolve("start")).equals(Long.toString(partition.start() / SECTOR))
        && text(entry.resolve("size")).equals(Long.toString(partition.length() / SECTOR));
  }

  /// Tells the kernel of a partition. One that it has is left as it is.
  ///
  /// @throws LinuxException `Failure.Unsupported` or `Failure.Invalid` if the device can have none
  public static void add(Path device, Partition partition) {
    if (find(device, partition).isEmpty()) {
      var attempt = "add partition %d to %s".formatted(partition.number(), device);
      try {
        change(attempt, device, ADD, partition);
      } catch (LinuxException e) {
        // somebody was faster
        if (!(e.failure() instanceof Failure.Busy) || find(device, partition).isEmpty()) throw e;
      }
    }
    makeNode(device, partition);
  }

  /// Makes the kernel forget a partition. One that it does not have is forgotten already.
  ///
  /// @throws LinuxException `Failure.Busy` if somebody uses it
  public static void remove(Path device, Partition partition) {
    var attempt = "remove partition %d of %s".formatted(partition.number(), device);
    try {
      change(attempt, device, REMOVE, partition);
    } catch (LinuxException e) {
      if (!(e.failure() instanceof Failure.DeviceGone)) throw e;
    }
  }

  /// Makes the kernel forget all partitions of a device.
  ///
  /// @throws LinuxException `Failure.Busy` if somebody uses one
  public static void removeAll(Path device) {
    for (int number : numbers(device))
      remove(device, new Partition(number, new UUID(0, 0), "", 0, 0));
  }

  private static List<Integer> numbers(Path device) {
    var found = new ArrayList<Integer>();
    try (var entries = Files.newDirectoryStream(sysfs(device))) {
      for (var entry : entries) {
        var number = text(entry.resolve("partition"));
        if (!number.isEmpty()) found.add(Integer.parseInt(number));
      }
    } catch (IOException gone) {
      return List.of(); // with the device
    }
    return found;
  }

  /// In a container without devtmpfs the kernel's device exists but has no node.
  private static void makeNode(Path device, Partition partition) {
    var node = find(device, partition);
    if (node.isEmpty() || Files.exists(node.get())) return;
    var name = String.valueOf(node.get().getFileName());
    var number = text(sysfs(device).resolve(name).resolve("dev")).split(":");
    if (number.length != 2) return;
    try (var arena = Arena.ofConfined()) {
      SystemCall.MKNODAT.invoke(
          SystemCall.AT_FDCWD,
          arena.allocateFrom(node.get().toString()).address(),
          0x6000 | 0660,
          new DeviceNumber(Integer.parseInt(number[0]), Integer.parseInt(number[1])).packed());
    }
  }

  private static void change(String attempt, Path device, int what, Partition partition) {
    Blocking.run(
        attempt,
        Blocking.CHANGE,
        () -> {
          try (var open = Descriptor.open(device, Descriptor.O_RDONLY);
              var arena = Arena.ofConfined()) {
            var argument = arena.allocate(ARGUMENT + PARTITION, 8);
            argument.set(JAVA_INT, 0, what);
            argument.set(JAVA_INT, 8, PARTITION);
            argument.set(JAVA_LONG, 16, argument.address() + ARGUMENT);
            argument.set(JAVA_LONG, ARGUMENT, partition.start());
            argument.set(JAVA_LONG, ARGUMENT + 8, partition.length());
            argument.set(JAVA_INT, ARGUMENT + 16, partition.number());
            long result = SystemCall.IOCTL.invoke(open.number(), BLKPG, argument.address());
            if (result < 0) throw new LinuxException(attempt, Failure.of(result));
          }
        });
  }

  private static Path sysfs(Path device) {
    return BY_NUMBER.resolve(FileStatus.of(device).special().toString());
  }

  private static String text(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.readString(file).strip() : "";
    } catch (IOException gone) {
      return "";
    }
  }
}
