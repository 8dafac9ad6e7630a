package dev.berth.driver.disk.node;

import dev.berth.driver.disk.pool.Limits;
import dev.berth.driver.disk.pool.Pool;
import dev.berth.driver.disk.pool.Throttling;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.file.DeviceNumber;
import dev.berth.linux.file.FileStatus;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Limits devices by the kernel's control groups.
///
/// Version 2 knows limits for a group with all below it: they are set in each group at the top.
/// Version 1 looks only at the group that a process is in: they are set in all that are there when
/// the volume is staged, published or modified. A group that is made later, as a kubelet makes one
/// for each container, is not limited, which is told in the log.
public final class Throttle implements Throttling {
  private static final Logger log = LoggerFactory.getLogger(Throttle.class);

  private final Kernel kernel = Kernel.ofThisMachine();

  @Override
  public void check(Limits limits) {
    check(limits, groups());
  }

  private static void check(Limits limits, List<Path> groups) {
    if (!limits.equals(Limits.NONE) && groups.isEmpty())
      throw Refusal.wrongState(
          "this machine has no io or blkio control group to limit a volume with; leave out the"
              + " limits");
  }

  @Override
  public void apply(Pool pool, String volumeId, Limits limits) {
    for (var loop : kernel.loopsOf(pool.volumes().image(volumeId))) apply(loop.device(), limits);
  }

  /// Also takes away what an earlier user of the device's number left behind.
  private void apply(Path device, Limits limits) {
    var groups = groups();
    check(limits, groups);
    var number = FileStatus.of(device).special();
    groups.forEach(group -> set(group, number, limits));
    if (!limits.equals(Limits.NONE) && !hasMax(groups.getFirst()))
      log.warn(
          "{} is limited only for the control groups that are there now, not for containers that"
              + " start later; version 2 of the control groups limits those too",
          device);
  }

  private static List<Path> groups() {
    var entries = Mounts.ofThisMachine().table().entries();
    var version1 =
        entries.stream()
            .filter(it -> it.type().equals("cgroup") && it.superOptions().contains("blkio"))
            .map(it -> it.target())
            .findFirst();
    if (version1.isPresent()) return all(version1.get(), "blkio.throttle.read_bps_device", 64);
    return entries.stream()
        .filter(it -> it.type().equals("cgroup2"))
        .map(it -> it.target())
        .findFirst()
        .map(root -> all(root, "io.max", 1))
        .orElse(List.of());
  }

  /// Groups that have such a file.
  private static List<Path> all(Path root, String file, int depth) {
    try (Stream<Path> folders = Files.walk(root, depth)) {
      return folders.filter(folder -> Files.exists(folder.resolve(file))).toList();
    } catch (IOException | UncheckedIOException _) {
      return List.of(root).stream().filter(it -> Files.exists(it.resolve(file))).toList();
    }
  }

  private static void set(Path group, DeviceNumber device, Limits limits) {
    if (hasMax(group)) {
      write(
          group.resolve("io.max"),
          "%s rbps=%s wbps=%s riops=%s wiops=%s"
              .formatted(
                  device,
                  orMax(limits.readBytes()),
                  orMax(limits.writeBytes()),
                  orMax(limits.readIops()),
                  orMax(limits.writeIops())));
      return;
    }
    var prefix = "blkio.throttle.";
    write(group.resolve(prefix + "read_bps_device"), device + " " + limits.readBytes());
    write(group.resolve(prefix + "write_bps_device"), device + " " + limits.writeBytes());
    write(group.resolve(prefix + "read_iops_device"), device + " " + limits.readIops());
    write(group.resolve(prefix + "write_iops_device"), device + " " + limits.writeIops());
  }

  /// Whether the group is one of version 2.
  private static boolean hasMax(Path group) {
    return Files.exists(group.resolve("io.max"));
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
