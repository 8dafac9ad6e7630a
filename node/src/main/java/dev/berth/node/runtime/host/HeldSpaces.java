package dev.berth.node.runtime.host;

import dev.berth.linux.process.ProcessIdentity;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.LinuxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The name spaces of a container that runs, held open: whoever gets its processes' numbers after
/// them is not mistaken for it.
///
/// @param processes of its processes; entered by being born there
/// @param others in the order in which they are entered, its mounts last
record HeldSpaces(Space processes, List<Space> others) implements AutoCloseable {
  // sched.h of the kernel
  private static final long CLONE_NEWNS = 0x20000;
  private static final long CLONE_NEWCGROUP = 0x2000000;
  private static final long CLONE_NEWUTS = 0x4000000;
  private static final long CLONE_NEWIPC = 0x8000000;
  private static final long CLONE_NEWPID = 0x20000000;

  /// One of them.
  ///
  /// @param kind as setns(2) has it
  record Space(Descriptor held, long kind) {
    /// For another process to open.
    Path path() {
      return Path.of("/proc/" + ProcessHandle.current().pid() + "/fd/" + held.number());
    }
  }

  HeldSpaces {
    others = List.copyOf(others);
  }

  /// @return empty: the process has ended
  static Optional<HeldSpaces> of(ProcessIdentity process) {
    var open = new ArrayList<Space>();
    try {
      open.add(space(process, "pid", CLONE_NEWPID));
      open.add(space(process, "uts", CLONE_NEWUTS));
      open.add(space(process, "ipc", CLONE_NEWIPC));
      open.add(space(process, "cgroup", CLONE_NEWCGROUP));
      open.add(space(process, "mnt", CLONE_NEWNS));
    } catch (LinuxException gone) {
      open.forEach(space -> space.held().close());
      return Optional.empty();
    }
    var spaces = new HeldSpaces(open.getFirst(), open.subList(1, open.size()));
    if (process.isAlive()) return Optional.of(spaces); // after they were opened: they are its own
    spaces.close();
    return Optional.empty();
  }

  private static Space space(ProcessIdentity process, String name, long kind) {
    return new Space(
        Descriptor.open(Path.of("/proc/" + process.pid() + "/ns/" + name), Descriptor.O_RDONLY),
        kind);
  }

  @Override
  public void close() {
    processes.held().close();
    others.forEach(space -> space.held().close());
  }
}
