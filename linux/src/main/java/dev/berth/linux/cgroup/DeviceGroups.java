package dev.berth.linux.cgroup;

import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.Mounts;
import dev.berth.linux.sys.LinuxException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/// Control groups that say which devices the processes in them may use. A process that is in one
/// stays there, with all that it starts.
///
/// @param folder of all of them
/// @param version of control groups: 2 if the machine has it, beside version 1 as well
public record DeviceGroups(Path folder, int version) {

  /// Finds out by trying. The groups are made in the one that this process is in: what limits it
  /// limits them.
  ///
  /// @param name of the folder for all groups, made if missing
  /// @return empty: this machine has no such groups, or not for us
  public static Optional<DeviceGroups> ofThisMachine(String name) {
    var mounts = Mounts.ofThisMachine().table().entries();
    return Stream.of(2, 1)
        .flatMap(version -> mounts.stream().flatMap(mount -> at(mount, version, name).stream()))
        .filter(DeviceGroups::work)
        .findFirst();
  }

  private static Optional<DeviceGroups> at(MountEntry mount, int version, String name) {
    boolean fits =
        version == 2
            ? mount.type().equals("cgroup2")
            : mount.type().equals("cgroup") && mount.superOptions().contains("devices");
    if (!fits || mount.readOnly()) return Optional.empty();
    return own(version)
        .map(own -> mount.target().resolve(own.substring(1)).resolve(name))
        .map(folder -> new DeviceGroups(folder, version));
  }

  /// The group that this process is in, from `/proc/self/cgroup`: `0::/path` in version 2,
  /// `5:devices:/path` in version 1.
  private static Optional<String> own(int version) {
    try (var lines = Files.lines(Path.of("/proc/self/cgroup"))) {
      return lines
          .map(line -> line.split(":", 3))
          .filter(parts ->
              version == 2
                  ? parts[1].isEmpty()
                  : List.of(parts[1].split(",", -1)).contains("devices"))
          .map(parts -> parts[2])
          .findFirst();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private boolean work() {
    var trial = "trial-" + UUID.randomUUID();
    try {
      create(trial, List.of());
      remove(trial);
      return true;
    } catch (UncheckedIOException | LinuxException refused) {
      return false;
    }
  }

  /// Makes a group, or takes one of that name and gives it these rules.
  ///
  /// @return its folder; a process that writes `0` to `cgroup.procs` in it is in the group
  public Path create(String name, List<DeviceRule> allowed) {
    var group = folder.resolve(name);
    try {
      remove(name);
      Files.createDirectories(group);
      if (version == 2) {
        DeviceFilter.attach(group, allowed);
      } else {
        Files.writeString(group.resolve("devices.deny"), "a");
        for (var rule : allowed) Files.writeString(group.resolve("devices.allow"), rule.toString());
      }
      return group;
    } catch (IOException refused) {
      throw new UncheckedIOException("make control group " + group, refused);
    }
  }

  /// Removes a group whose processes have ended; one that is not there is gone already.
  ///
  /// @throws UncheckedIOException there are still processes in it
  public void remove(String name) {
    try {
      Files.delete(folder.resolve(name));
    } catch (NoSuchFileException _) {
      // gone
    } catch (IOException busy) {
      throw new UncheckedIOException("remove control group " + folder.resolve(name), busy);
    }
  }
}
