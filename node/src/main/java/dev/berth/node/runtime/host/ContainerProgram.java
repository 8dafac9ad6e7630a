package dev.berth.node.runtime.host;

import dev.berth.linux.launch.LaunchProgram;
import dev.berth.linux.launch.LaunchProgram.Place;
import dev.berth.linux.sys.SystemCall;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.host.DevicePolicy.Group;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The three processes that a container begins with, as system calls. The outer one waits outside
/// and ends as the container does. The first one inside enters the container's mounts, mounts
/// `/proc`, and reaps what the program leaves behind. The third takes its rights down to what the
/// spec says and becomes the program, which is the first that is read from the container's root:
/// whatever a volume has put there, it never runs with more rights than the program has.
///
/// When it begins, descriptor 1 is the log, 2 the agent and 5 the file that tells that the
/// container has started. The environment may hold secrets: the program is for root alone to read.
final class ContainerProgram {
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private static final int LOG = 1;
  private static final int AGENT = 2;
  private static final int STARTED = 5;

  /// Where copies of `/dev/null` are kept: one for standard input, then those that mask files.
  private static final int NULLS = 20;

  // sched.h, signal.h, wait.h, prctl.h, mount.h, fcntl.h of the kernel
  private static final long CLONE_NEWNS = 0x20000;
  private static final long CLONE_NEWCGROUP = 0x2000000;
  private static final long CLONE_NEWUTS = 0x4000000;
  private static final long CLONE_NEWIPC = 0x8000000;
  private static final long CLONE_NEWPID = 0x20000000;
  private static final long CLONE_INTO_CGROUP = 0x200000000L;
  private static final long CLONE_ARGUMENTS = 88;
  private static final long SIGPIPE = 13;
  private static final long SIGCHLD = 17;
  private static final long SIG_IGN = 1;
  private static final long P_ALL = 0;
  private static final long WEXITED = 4;
  private static final int SI_PID = 16;
  private static final long PR_SET_DUMPABLE = 4;
  private static final long JOIN_SESSION_KEYRING = 1;
  private static final long OPEN_TREE_CLONE = 1;
  private static final long AT_EMPTY_PATH = 0x1000;
  private static final long RDONLY_NOSUID_NOEXEC = 0x1 | 0x2 | 0x8;
  private static final long O_CLOEXEC = 0x80000;
  private static final long UMASK = 022;

  private final LaunchProgram program = new LaunchProgram();
  private final ProgramSteps steps = new ProgramSteps(program);
  private final ContainerSpec spec;

  private ContainerProgram(ContainerSpec spec) {
    this.spec = spec;
  }

  /// @param file the spec's program, as it was found inside
  /// @param mounts its mount name space, for as long as the agent holds it
  /// @param hostName its host name's
  /// @param group that limits it
  static byte[] of(
      ContainerSpec spec, String file, Path mounts, Path hostName, Optional<Group> group) {
    var container = new ContainerProgram(spec);
    container.outside();
    container.first(mounts, hostName, group);
    container.main(file);
    return container.program.finish();
  }

  static String workingDirectory(ContainerSpec spec) {
    var directory = spec.program().workingDirectory();
    return directory.isEmpty() ? "/" : directory;
  }

  /// Folders in which the program is looked up.
  static List<String> path(ContainerSpec spec) {
    return List.of(spec.program().environment().getOrDefault("PATH", PATH).split(":", -1));
  }

  static List<String> environment(ContainerSpec spec) {
    var environment = new TreeMap<>(spec.program().environment());
    environment.putIfAbsent("PATH", PATH);
    environment.putIfAbsent("HOME", spec.user().uid() == 0 ? "/root" : "/");
    environment.putIfAbsent("HOSTNAME", spec.hostName());
    return environment.entrySet().stream()
        .map(variable -> variable.getKey() + "=" + variable.getValue())
        .toList();
  }

  private void outside() {
    var waiting = new Place();
    program.complain(AGENT, 1);
    steps.dieWithParent();
    program.must("be nobody's to look into", SystemCall.PRCTL, PR_SET_DUMPABLE, 0);
    program.must("make a process name space", SystemCall.UNSHARE, CLONE_NEWPID);
    var inside = new Place();
    program.must("fork", SystemCall.CLONE, SIGCHLD).ifZero(inside).ifPositive(waiting);
    program.at(waiting);
    steps.closeFrom(0);
    long info = program.words(new long[16]);
    program.may(SystemCall.WAITID, P_ALL, 0, info, WEXITED, 0);
    steps.endLike(info);
    program.at(inside);
  }

  private void first(Path mounts, Path hostName, Optional<Group> group) {
    steps.dieWithParent();
    copyNulls();
    long fork = program.words(0, 0, 0, 0, SIGCHLD, 0, 0, 0, 0, 0, 0);
    group.ifPresent(it -> join(it, fork));
    var spaces = List.of(steps.open(hostName, 0), steps.open(mounts, 0));
    steps.enter(hostName, CLONE_NEWUTS, spaces.get(0));
    steps.enter(mounts, CLONE_NEWNS, spaces.get(1));
    program.must("make name spaces", SystemCall.UNSHARE, CLONE_NEWIPC | CLONE_NEWCGROUP);
    program.may(SystemCall.KEYCTL, JOIN_SESSION_KEYRING, 0);
    KernelFiles.mount(program, spec.rights(), NULLS + 1);
    program.must("open /dev/null", SystemCall.DUP3, NULLS, 0, 0);
    var main = new Place();
    var reaping = new Place();
    // Stored half a word further on: compared with the upper half of a word of the answer below.
    long number = program.words(0, 0);
    program
        .must("fork", SystemCall.CLONE3, fork, CLONE_ARGUMENTS)
        .into(number + 4)
        .ifZero(main)
        .ifPositive(reaping);
    program.at(reaping);
    steps.closeFrom(0);
    reap(number);
    program.at(main);
  }

  /// Waits for the program's end, and for that of whatever it has left to the first process.
  private void reap(long number) {
    var next = new Place();
    long info = program.words(new long[16]);
    program.at(next);
    program.may(SystemCall.WAITID, P_ALL, 0, info, WEXITED, 0);
    var ended = program.load(info + SI_PID - 4);
    var main = program.load(number);
    var same = new Place();
    var comparison = program.subtract(0, 0).ifZero(same);
    ended.into(comparison.argument(0));
    main.into(comparison.argument(1));
    program.goTo(next);
    program.at(same);
    steps.endLike(info);
  }

  private void main(String file) {
    steps.signals();
    program.may(SystemCall.UMASK, UMASK);
    steps.workingDirectory(workingDirectory(spec));
    steps.rights(spec.user(), spec.rights());
    tellStarted();
    program.must("open the log", SystemCall.DUP3, LOG, AGENT, 0);
    steps.closeFrom(3);
    program.complain(AGENT, 126);
    var command = spec.program().command();
    program.must(
        "exec: \"%s\"".formatted(command.getFirst()),
        SystemCall.EXECVE,
        program.text(file),
        program.texts(command),
        program.texts(environment(spec)));
    program.exit(126);
  }

  private void tellStarted() {
    long word = program.text("started\n");
    program.must("tell that it has started", SystemCall.WRITE, STARTED, word, 8);
    // The agent may be gone.
    program.may(SystemCall.RT_SIGACTION, SIGPIPE, program.words(SIG_IGN, 0, 0, 0), 0, 8);
    program.may(SystemCall.WRITE, AGENT, word, 8);
    program.may(SystemCall.RT_SIGACTION, SIGPIPE, program.words(0, 0, 0, 0), 0, 8);
  }

  /// Read-only, so that nobody who gets at one can change the machine's own file. Made before the
  /// container's mounts are entered, for there everything may be somebody else's.
  private void copyNulls() {
    long attributes = program.words(RDONLY_NOSUID_NOEXEC, 0, 0, 0);
    for (int i = 0; i <= KernelFiles.masked().size(); i++) {
      var copy =
          program.must(
              "copy /dev/null",
              SystemCall.OPEN_TREE,
              SystemCall.AT_FDCWD,
              program.text("/dev/null"),
              OPEN_TREE_CLONE | O_CLOEXEC);
      var keep = program.must("keep a descriptor", SystemCall.DUP3, 0, NULLS + i, O_CLOEXEC);
      copy.into(keep.argument(0));
      program.must(
          "make /dev/null read-only",
          SystemCall.MOUNT_SETATTR,
          NULLS + i,
          program.text(""),
          AT_EMPTY_PATH,
          attributes,
          32);
    }
    var open = steps.open(Path.of("/proc/self/fd/" + NULLS), 0);
    var keep = program.must("keep a descriptor", SystemCall.DUP3, 0, NULLS, O_CLOEXEC);
    open.into(keep.argument(0));
  }

  /// @param fork arguments of clone3(2) for the program's process
  private void join(Group group, long fork) {
    if (group.bornInto()) {
      program.subtract(CLONE_INTO_CGROUP, 0).into(fork);
      steps.open(group.folder(), 0).into(fork + CLONE_ARGUMENTS - 8);
      return;
    }
    steps.join(group);
  }
}
