package dev.berth.node.runtime.host;

import dev.berth.linux.launch.LaunchProgram;
import dev.berth.linux.sys.SystemCall;
import dev.berth.node.runtime.ContainerSpec.Rights;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A container's `/proc`: what of it can set the machine is read-only, what tells more than a
/// container should know is masked, as containerd's default has it. Privileged containers have it
/// as the kernel gives it.
final class KernelFiles {
  private static final List<String> READ_ONLY =
      List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

  private static final List<String> MASKED_FOLDERS =
      List.of("/proc/acpi", "/proc/asound", "/proc/scsi");

  private static final List<String> MASKED_FILES =
      List.of(
          "/proc/interrupts",
          "/proc/kcore",
          "/proc/keys",
          "/proc/latency_stats",
          "/proc/sched_debug",
          "/proc/timer_list",
          "/proc/timer_stats");

  /// The same for `/sys`, which is mounted before.
  static final List<String> MASKED_IN_SYS =
      List.of("/sys/firmware", "/sys/devices/virtual/powercap");

  private static final long RDONLY = 1;
  private static final long NOSUID_NODEV_NOEXEC = 2 | 4 | 8;
  private static final long REMOUNT = 0x20;
  private static final long BIND = 0x1000;
  private static final long REC = 0x4000;
  private static final long MOVE_MOUNT_F_EMPTY_PATH = 4;

  private KernelFiles() {}

  /// Files that a copy of `/dev/null` is put over.
  static List<String> masked() {
    return present(MASKED_FILES).toList();
  }

  /// @param nulls descriptor of the first of as many copies of `/dev/null` as [#masked] has files
  static void mount(LaunchProgram program, Rights rights, int nulls) {
    long proc = program.text("/proc");
    long type = program.text("proc");
    program.must("mount /proc", SystemCall.MOUNT, type, proc, type, NOSUID_NODEV_NOEXEC, 0);
    if (rights == Rights.PRIVILEGED) return;
    present(READ_ONLY).forEach(path -> restrict(program, path));
    present(MASKED_FOLDERS).forEach(path -> cover(program, path));
    var masked = masked();
    for (int i = 0; i < masked.size(); i++)
      program.must(
          "mask " + masked.get(i),
          SystemCall.MOVE_MOUNT,
          nulls + i,
          program.text(""),
          SystemCall.AT_FDCWD,
          program.text(masked.get(i)),
          MOVE_MOUNT_F_EMPTY_PATH);
  }

  private static void restrict(LaunchProgram program, String path) {
    long at = program.text(path);
    program.must("bind " + path, SystemCall.MOUNT, at, at, 0, BIND | REC, 0);
    program.must(
        "make " + path + " read-only",
        SystemCall.MOUNT,
        0,
        at,
        0,
        BIND | REMOUNT | RDONLY | NOSUID_NODEV_NOEXEC,
        0);
  }

  private static void cover(LaunchProgram program, String path) {
    long type = program.text("tmpfs");
    program.must(
        "mask " + path,
        SystemCall.MOUNT,
        type,
        program.text(path),
        type,
        RDONLY | NOSUID_NODEV_NOEXEC,
        program.text("mode=0555"));
  }

  /// What this kernel has; the container's is the same.
  private static Stream<String> present(List<String> paths) {
    return paths.stream().filter(path -> Files.exists(Path.of(path)));
  }
}
