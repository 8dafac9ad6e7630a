package dev.berth.driver.disk.node;

import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.file.DeviceNumber;
import dev.berth.linux.mount.MountTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The groups of processes that the kernel can slow down on a device.
///
/// @param root where they are mounted
record ControlGroups(Path root, Version version) {
  enum Version {
    /// Looks only at the group that a process is in, so a limit has to be set in every one.
    ONE("blkio.throttle.read_bps_device", 64),
    /// Knows limits for a group with all below it: they are set at the top.
    TWO("io.max", 1);

    private final String file;
    private final int depth;

    Version(String file, int depth) {
      this.file = file;
      this.depth = depth;
    }
  }

  /// Those of this machine. Where both versions are mounted, version 1 has the blkio controller.
  static Optional<ControlGroups> find(MountTable mounts) {
    var entries = mounts.entries();
    var one =
        entries.stream()
            .filter(it -> it.type().equals("cgroup") && it.superOptions().contains("blkio"))
            .map(it -> new ControlGroups(it.target(), Version.ONE));
    var two =
        entries.stream()
            .filter(it -> it.type().equals("cgroup2"))
            .map(it -> new ControlGroups(it.target(), Version.TWO));
    return Stream.concat(one, two).findFirst();
  }

  /// Why no volume can be limited; empty: they can.
  static Optional<String> whyNone(MountTable mounts) {
    var groups = find(mounts);
    if (groups.isEmpty())
      return Optional.of("neither control groups of version 2 nor blkio of version 1 are mounted");
    return groups.get().whyUseless();
  }

  Optional<String> whyUseless() {
    var all = all();
    if (all.isEmpty())
      return Optional.of(
          "no control group in %s has %s: its io controller is off".formatted(root, version.file));
    var file = all.getFirst().resolve(version.file);
    return Files.isWritable(file)
        ? Optional.empty()
        : Optional.of(file + " cannot be written to by this process");
  }

  /// Every group in which a limit has to be set, those above first.
  List<Path> all() {
    var all = new ArrayList<Path>();
    collect(root, all);
    return all;
  }

  private void collect(Path group, List<Path> all) {
    if (limits(group)) all.add(group);
    below(group).forEach(it -> collect(it, all));
  }

  /// The groups right below one, as far down as limits have to be set; none if it has just gone.
  List<Path> below(Path group) {
    var level = group.equals(root) ? 0 : root.relativize(group).getNameCount();
    if (level >= version.depth) return List.of();
    try (var content = Files.list(group)) {
      return content.filter(this::limits).toList();
    } catch (IOException | UncheckedIOException _) {
      return List.of();
    }
  }

  boolean limits(Path group) {
    return Files.exists(group.resolve(version.file));
  }

  /// Also takes away what stands there for an earlier user of the device's number.
  void set(Path group, DeviceNumber device, Limits limits) {
    switch (version) {
      case TWO ->
          write(
              group.resolve("io.max"),
              "%s rbps=%s wbps=%s riops=%s wiops=%s"
                  .formatted(
                      device,
                      orMax(limits.readBytes()),
                      orMax(limits.writeBytes()),
                      orMax(limits.readIops()),
                      orMax(limits.writeIops())));
      case ONE -> {
        var prefix = "blkio.throttle.";
        write(group.resolve(prefix + "read_bps_device"), device + " " + limits.readBytes());
        write(group.resolve(prefix + "write_bps_device"), device + " " + limits.writeBytes());
        write(group.resolve(prefix + "read_iops_device"), device + " " + limits.readIops());
        write(group.resolve(prefix + "write_iops_device"), device + " " + limits.writeIops());
      }
    }
  }

  private static String orMax(long limit) {
    return limit == 0 ? "max" : Long.toString(limit);
  }

  private static void write(Path file, String line) {
    try {
      Files.writeString(file, line);
    } catch (NoSuchFileException _) {
      // The group has just gone, and with it all who were in it.
    } catch (IOException e) {
      throw Refusal.wrongState("cannot limit a volume by %s: %s".formatted(file, e.getMessage()));
    }
  }
}
