package dev.berth.node.runtime;

import dev.berth.linux.launch.LaunchProgram;
import dev.berth.linux.launch.LaunchProgram.Place;
import dev.berth.linux.sys.Descriptor;
import dev.berth.linux.sys.SystemCall;
import dev.berth.node.runtime.ContainerSpec.Rights;
import dev.berth.node.runtime.DevicePolicy.Group;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
  private static final long SIGKILL = 9;
  private static final long SIGPIPE = 13;
  private static final long SIGCHLD = 17;
  private static final long SIGSTOP = 19;
  private static final long LAST_SIGNAL = 64;
  private static final long SIG_IGN = 1;
  private static final long SIG_SETMASK = 2;
  private static final long P_ALL = 0;
  private static final long WEXITED = 4;
  private static final long CLD_EXITED = 1;
  private static final int SI_CODE = 8;
  private static final int SI_PID = 16;
  private static final int SI_STATUS = 24;
  private static final long PR_SET_PDEATHSIG = 1;
  private static final long PR_SET_DUMPABLE = 4;
  private static final long PR_CAPBSET_DROP = 24;
  private static final long PR_SET_NO_NEW_PRIVS = 38;
  private static final int CAPABILITY_VERSION = 0x20080522;
  private static final long JOIN_SESSION_KEYRING = 1;
  private static final long OPEN_TREE_CLONE = 1;
  private static final long AT_EMPTY_PATH = 0x1000;
  private static final long RDONLY_NOSUID_NOEXEC = 0x1 | 0x2 | 0x8;
  private static final long O_WRONLY = 1;
  private static final long O_CLOEXEC = 0x80000;
  private static final long RESOLVE_NO_MAGICLINKS = 0x02;
  private static final long ALL_DESCRIPTORS = 0xffffffffL;
  private static final long UMASK = 022;

  private final LaunchProgram program = new LaunchProgram();
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

  private static List<String> environment(ContainerSpec spec) {
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
    dieWithParent();
    program.must("be nobody's to look into", SystemCall.PRCTL, PR_SET_DUMPABLE, 0);
    program.must("make a process name space", SystemCall.UNSHARE, CLONE_NEWPID);
    var inside = new Place();
    program.must("fork", SystemCall.CLONE, SIGCHLD).ifZero(inside).ifPositive(waiting);
    program.at(waiting);
    closeFrom(0);
    long info = program.words(new long[16]);
    program.may(SystemCall.WAITID, P_ALL, 0, info, WEXITED, 0);
    endLike(info);
    program.at(inside);
  }

  private void first(Path mounts, Path hostName, Optional<Group> group) {
    dieWithParent();
    copyNulls();
    long fork = program.words(0, 0, 0, 0, SIGCHLD, 0, 0, 0, 0, 0, 0);
    group.ifPresent(it -> join(it, fork));
    var spaces = List.of(open(hostName, 0), open(mounts, 0));
    enter(hostName, CLONE_NEWUTS, spaces.get(0));
    enter(mounts, CLONE_NEWNS, spaces.get(1));
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
    closeFrom(0);
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
    endLike(info);
  }

  /// Ends with the code of the process that `info` is about; 128 + n if signal n killed it.
  private void endLike(long info) {
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

  private void main(String file) {
    signals();
    program.may(SystemCall.UMASK, UMASK);
    enterWorkingDirectory();
    rights();
    tellStarted();
    program.must("open the log", SystemCall.DUP3, LOG, AGENT, 0);
    closeFrom(3);
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

  /// Not through links like `/proc/self/fd/9`: what this process still has open is the machine's,
  /// and `..` would lead on from there.
  private void enterWorkingDirectory() {
    var directory = workingDirectory(spec);
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

  /// An agent that was started by nohup, or behind a script's &, ignores signals, and what it
  /// starts inherits that.
  private void signals() {
    long none = program.words(0, 0, 0, 0);
    for (long signal = 1; signal <= LAST_SIGNAL; signal++)
      if (signal != SIGKILL && signal != SIGSTOP)
        program.may(SystemCall.RT_SIGACTION, signal, none, 0, 8);
    program.may(SystemCall.RT_SIGPROCMASK, SIG_SETMASK, none, 0, 8);
  }

  private void rights() {
    var user = spec.user();
    long groups = words(user.groups().stream().mapToInt(Integer::intValue).toArray());
    boolean privileged = spec.rights() == Rights.PRIVILEGED;
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
    if (spec.rights() == Rights.NO_NEW_PRIVILEGES)
      program.must("forbid new privileges", SystemCall.PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
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
    var open = open(Path.of("/proc/self/fd/" + NULLS), 0);
    var keep = program.must("keep a descriptor", SystemCall.DUP3, 0, NULLS, O_CLOEXEC);
    open.into(keep.argument(0));
  }

  /// @param fork arguments of clone3(2) for the program's process
  private void join(Group group, long fork) {
    if (group.bornInto()) {
      program.subtract(CLONE_INTO_CGROUP, 0).into(fork);
      open(group.folder(), 0).into(fork + CLONE_ARGUMENTS - 8);
      return;
    }
    var open = open(group.folder().resolve("cgroup.procs"), O_WRONLY);
    var write = program.must("join " + group.folder(), SystemCall.WRITE, 0, program.text("0"), 1);
    open.into(write.argument(0));
  }

  /// @param open the step that has opened it
  private void enter(Path space, long kind, LaunchProgram.Step open) {
    var enter = program.must("enter " + space, SystemCall.SETNS, 0, kind);
    open.into(enter.argument(0));
  }

  private LaunchProgram.Step open(Path path, long flags) {
    return program.must(
        "open " + path,
        SystemCall.OPENAT,
        SystemCall.AT_FDCWD,
        program.text(path.toString()),
        flags | O_CLOEXEC,
        0);
  }

  private void dieWithParent() {
    program.must("be bound to the parent", SystemCall.PRCTL, PR_SET_PDEATHSIG, SIGKILL);
  }

  private void closeFrom(int descriptor) {
    program.must("close all files", SystemCall.CLOSE_RANGE, descriptor, ALL_DESCRIPTORS, 0);
  }

  /// @return address of words of 32 bits
  private long words(int... words) {
    var bytes = ByteBuffer.allocate(4 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int word : words) bytes.putInt(word);
    return program.bytes(bytes.array());
  }
}
