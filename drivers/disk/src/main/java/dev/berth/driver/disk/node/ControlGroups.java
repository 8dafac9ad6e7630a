package dev.berth.driver.disk.node;

import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.file.DeviceNumber;
import dev.berth.linux.mount.MountTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The groups of processes that the kernel can slow down on a device.
///
/// @param root where they are mounted
record ControlGroups(Path root, Version version) {
  private static final Logger log = LoggerFactory.getLogger(ControlGroups.class);

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

  /// Whether they are mounted there still.
  boolean isThere() {
    return Files.exists(root.resolve("cgroup.procs"));
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
    if (!hasBelow(group)) return List.of();
    try (var content = Files.list(group)) {
      return content.filter(this::limits).toList();
    } catch (IOException | UncheckedIOException _) {
      return List.of();
    }
  }

  /// Whether limits have to be set in the groups right below one.
  boolean hasBelow(Path group) {
    var level = group.equals(root) ? 0 : root.relativize(group).getNameCount();
    return level < version.depth;
  }

  boolean limits(Path group) {
    return Files.exists(group.resolve(version.file));
  }

  /// [#set] in every group, or in none.
  ///
  /// @throws Refusal WRONG_STATE if one of them cannot be written to
  void setAll(DeviceNumber device, Limits limits) {
    var before = new LinkedHashMap<Path, Limits>();
    try {
      for (var group : all()) {
        var was = standing(group, device);
        before.put(group, was);
        change(group, device, was, limits);
      }
    } catch (Refusal e) {
      before.forEach((group, was) -> putBack(group, device, was, e));
      throw e;
    }
  }

  private void putBack(Path group, DeviceNumber device, Limits was, Refusal why) {
    try {
      set(group, device, was);
    } catch (Refusal e) {
      why.addSuppressed(e);
    }
  }

  /// Writes nothing that stands there already. No limits also take away what stands there for an
  /// earlier user of the device's number; who wants none is not refused for want of them.
  ///
  /// @throws Refusal WRONG_STATE if the group cannot be written to
  void set(Path group, DeviceNumber device, Limits limits) {
    change(group, device, standing(group, device), limits);
  }

  private void change(Path group, DeviceNumber device, Limits was, Limits limits) {
    if (was.equals(limits)) return;
    try {
      write(group, device, limits);
    } catch (Refusal e) {
      if (!limits.equals(Limits.NONE)) throw e;
      log.warn("device {} stays as slow as it was: {}", device, e.getMessage());
    }
  }

  private void write(Path group, DeviceNumber device, Limits limits) {
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
        write(
            group.resolve(prefix + "read_iops_device"), device + " " + in32Bits(limits.readIops()));
        write(
            group.resolve(prefix + "write_iops_device"),
            device + " " + in32Bits(limits.writeIops()));
      }
    }
  }

  /// The kernel cuts off what is above: a multiple of 2^32 would stop the volume.
  private static long in32Bits(long operations) {
    return Math.min(operations, 0xffff_ffffL);
  }

  private static String orMax(long limit) {
    return limit == 0 ? "max" : Long.toString(limit);
  }

  /// What a group has for a device; none, where it cannot be read.
  private Limits standing(Path group, DeviceNumber device) {
    return switch (version) {
      case TWO -> {
        var line = line(group.resolve("io.max"), device);
        yield new Limits(
            number(line, "riops="),
            number(line, "wiops="),
            number(line, "rbps="),
            number(line, "wbps="));
      }
      case ONE -> {
        var prefix = "blkio.throttle.";
        yield new Limits(
            number(line(group.resolve(prefix + "read_iops_device"), device), ""),
            number(line(group.resolve(prefix + "write_iops_device"), device), ""),
            number(line(group.resolve(prefix + "read_bps_device"), device), ""),
            number(line(group.resolve(prefix + "write_bps_device"), device), ""));
      }
    };
  }

  /// What a file of limits says of a device, word by word; nothing, if it does not.
  private static List<String> line(Path file, DeviceNumber device) {
    try (var lines = Files.lines(file)) {
      return lines
          .map(line -> List.of(line.split(" ", -1)))
          .filter(words -> words.getFirst().equals(device.toString()))
          .findFirst()
          .map(words -> words.subList(1, words.size()))
          .orElse(List.of());
    } catch (IOException | UncheckedIOException _) {
      return List.of();
    }
  }

  private static long number(List<String> words, String key) {
    return words.stream()
        .filter(word -> word.startsWith(key))
        .map(word -> word.substring(key.length()))
        .filter(value -> !value.equals("max"))
        .findFirst()
        .map(Long::parseUnsignedLong)
        .orElse(0L);
  }

  private static void write(Path file, String line) {
    try {
      Files.writeString(file, line, WRITE, TRUNCATE_EXISTING);
    } catch (IOException e) {
      if (Files.notExists(file)) return; // the group has just gone, with all who were in it
      throw Refusal.wrongState("cannot limit a volume by %s: %s".formatted(file, reason(e)));
    }
  }

  private static String reason(IOException e) {
    if (!(e instanceof FileSystemException refused)) return String.valueOf(e.getMessage());
    return Objects.requireNonNullElse(refused.getReason(), "permission denied");
  }
}
