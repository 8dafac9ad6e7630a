package dev.berth.node.runtime.host;

import dev.berth.linux.launch.LaunchProgram;
import dev.berth.linux.launch.LaunchProgram.Place;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import dev.berth.node.runtime.Capabilities;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.User;
import dev.berth.node.runtime.host.DevicePolicy.Group;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/// What every program of a container goes through on its way in, the first one and those that are
/// run beside it later: name spaces, control group, and rights taken down to what the spec says.
final class ProgramSteps {
  // signal.h, wait.h, prctl.h, fcntl.h of the kernel
  private static final long SIGKILL = 9;
  private static final long SIGSTOP = 19;
  private static final long LAST_SIGNAL = 64;
  private static final long SIG_SETMASK = 2;
  private static final long CLD_EXITED = 1;
  private static final int SI_CODE = 8;
  private static final int SI_STATUS = 24;
  private static final long PR_SET_PDEATHSIG = 1;
  private static final long PR_CAPBSET_DROP = 24;
  private static final long PR_SET_NO_NEW_PRIVS = 38;
  private static final int CAPABILITY_VERSION = 0x20080522;
  private static final long O_WRONLY = 1;
  private static final long O_CLOEXEC = 0x80000;
  private static final long RESOLVE_NO_MAGICLINKS = 0x02;
  private static final long ALL_DESCRIPTORS = 0xffffffffL;

  private final LaunchProgram program;

  ProgramSteps(LaunchProgram program) {
    this.program = program;
  }

  void dieWithParent() {
    program.must("be bound to the parent", SystemCall.PRCTL, PR_SET_PDEATHSIG, SIGKILL);
  }

  void closeFrom(int descriptor) {
    program.must("close all files", SystemCall.CLOSE_RANGE, descriptor, ALL_DESCRIPTORS, 0);
  }

  LaunchProgram.Step open(Path path, long flags) {
    return program.must(
        "open " + path,
        SystemCall.OPENAT,
        SystemCall.AT_FDCWD,
        program.text(path.toString()),
        flags | O_CLOEXEC,
        0);
  }

  /// @param open the step that has opened it
  void enter(Path space, long kind, LaunchProgram.Step open) {
    var enter = program.must("enter " + space, SystemCall.SETNS, 0, kind);
    open.into(enter.argument(0));
  }

  /// Moves this process into a control group.
  void join(Group group) {
    var open = open(group.folder().resolve("cgroup.procs"), O_WRONLY);
    var write = program.must("join " + group.folder(), SystemCall.WRITE, 0, program.text("0"), 1);
    open.into(write.argument(0));
  }

  /// An agent that was started by nohup, or behind a script's &, ignores signals, and what it
  /// starts inherits that.
  void signals() {
    long none = program.words(0, 0, 0, 0);
    for (long signal = 1; signal <= LAST_SIGNAL; signal++)
      if (signal != SIGKILL && signal != SIGSTOP)
        program.may(SystemCall.RT_SIGACTION, signal, none, 0, 8);
    program.may(SystemCall.RT_SIGPROCMASK, SIG_SETMASK, none, 0, 8);
  }

  /// Not through links like `/proc/self/fd/9`: what this process still has open is the machine's,
  /// and `..` would lead on from there.
  void workingDirectory(String directory) {
    var attempt = "change to the working directory " + directory;
    var open =
        program.must(
            attempt,
            SystemCall.OPENAT2,
            SystemCall.AT_FDCWD,
            program.text(directory),
            program.words(
                Descriptor.O_PATH | Descriptor.O_DIRECTORY | O_CLOEXEC, 0, RESOLVE_NO_MAGICLINKS),
            24);
    var enter = program.must(attempt, SystemCall.FCHDIR, 0);
    open.into(enter.argument(0));
  }

  void rights(User user, Rights rights) {
    long groups = words(user.groups().stream().mapToInt(Integer::intValue).toArray());
    boolean privileged = rights == Rights.PRIVILEGED;
    if (!privileged)
      for (int capability : Capabilities.takenAway())
        program.must(
            "give up capability " + capability, SystemCall.PRCTL, PR_CAPBSET_DROP, capability);
    program.must("set the groups", SystemCall.SETGROUPS, user.groups().size(), groups);
    program.must("set the group", SystemCall.SETRESGID, user.gid(), user.gid(), user.gid());
    program.must("set the user", SystemCall.SETRESUID, user.uid(), user.uid(), user.uid());
    long kept = user.uid() != 0 ? 0 : privileged ? Capabilities.ofAgent() : Capabilities.ordinary();
    int low = (int) kept;
    int high = (int) (kept >> 32);
    program.must(
        "set the capabilities",
        SystemCall.CAPSET,
        words(CAPABILITY_VERSION, 0),
        words(low, low, 0, high, high, 0));
    if (rights == Rights.NO_NEW_PRIVILEGES)
      program.must("forbid new privileges", SystemCall.PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  }

  /// Ends with the code of the process that `info` is about; 128 + n if signal n killed it.
  void endLike(long info) {
    var exited = new Place();
    // Half a word that the kernel writes, and half a word that nobody does.
    var how = program.load(info + SI_CODE);
    var killed = program.subtract(0, CLD_EXITED).ifZero(exited);
    how.into(killed.argument(0));
    var signal = program.load(info + SI_STATUS);
    var code = program.subtract(0, -128);
    signal.into(code.argument(0));
    code.into(program.exit(0).argument(0));
    program.at(exited);
    var status = program.load(info + SI_STATUS);
    status.into(program.exit(0).argument(0));
  }

  /// @return address of words of 32 bits
  private long words(int... words) {
    var bytes = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int word : words) bytes.putInt(word);
    return program.bytes(bytes.array());
  }
}
