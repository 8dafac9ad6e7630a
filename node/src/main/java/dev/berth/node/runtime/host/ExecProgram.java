package dev.berth.node.runtime.host;

import dev.berth.linux.launch.LaunchProgram;
import dev.berth.linux.launch.LaunchProgram.Place;
import dev.berth.linux.sys.SystemCall;
import dev.berth.node.runtime.ContainerSpec;
import dev.berth.node.runtime.host.DevicePolicy.Group;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;

/// The two processes of a further program of a container, as system calls. The outer one stays
/// outside, ends as the program does, and takes it along when it is killed; the other enters the
/// container's name spaces, takes its rights down and becomes the program.
///
/// When it begins, descriptors 0 to 2 are the program's, unless it has a terminal; 2 is where it is
/// said what goes wrong.
final class ExecProgram {
  private static final int ERROR = 2;

  /// Where the terminal is kept.
  private static final int TERMINAL = 20;

  // sched.h, wait.h, prctl.h, ioctls.h, fcntl.h of the kernel
  private static final long SIGCHLD = 17;
  private static final long P_ALL = 0;
  private static final long WEXITED = 4;
  private static final long PR_SET_DUMPABLE = 4;
  private static final long JOIN_SESSION_KEYRING = 1;
  private static final long TIOCSCTTY = 0x540e;
  private static final long O_RDWR = 2;
  private static final long O_NOCTTY = 0x100;
  private static final long O_CLOEXEC = 0x80000;
  private static final long UMASK = 022;

  private final LaunchProgram program = new LaunchProgram();
  private final ProgramSteps steps = new ProgramSteps(program);

  private ExecProgram() {}

  /// @param file the program, as it was found inside
  /// @param spaces of the container, held open by the agent until the program has ended
  /// @param terminal the program's end of its terminal
  static byte[] of(
      ContainerSpec spec,
      String file,
      HeldSpaces spaces,
      Optional<Group> group,
      Optional<Path> terminal) {
    var exec = new ExecProgram();
    exec.outside(spaces);
    exec.enter(spaces, group, terminal);
    exec.main(spec, file, terminal.isPresent());
    return exec.program.finish();
  }

  /// In a session of its own: what is typed where the agent runs is not meant for it.
  private void outside(HeldSpaces spaces) {
    program.complain(ERROR, 126);
    program.may(SystemCall.SETSID);
    program.must("be nobody's to look into", SystemCall.PRCTL, PR_SET_DUMPABLE, 0);
    var processes = spaces.processes();
    steps.enter(processes.path(), processes.kind(), steps.open(processes.path(), 0));
    var waiting = new Place();
    var inside = new Place();
    program.must("fork", SystemCall.CLONE, SIGCHLD).ifZero(inside).ifPositive(waiting);
    program.at(waiting);
    steps.closeFrom(0);
    long info = program.words(new long[16]);
    program.may(SystemCall.WAITID, P_ALL, 0, info, WEXITED, 0);
    steps.endLike(info);
    program.at(inside);
  }

  /// All is opened before the container's mounts are entered: there, names are the container's.
  private void enter(HeldSpaces spaces, Optional<Group> group, Optional<Path> terminal) {
    steps.dieWithParent();
    terminal.ifPresent(end -> {
      var open = steps.open(end, O_RDWR | O_NOCTTY);
      var keep = program.must("keep the terminal", SystemCall.DUP3, 0, TERMINAL, O_CLOEXEC);
      open.into(keep.argument(0));
    });
    group.ifPresent(steps::join);
    var open = new ArrayList<LaunchProgram.Step>();
    for (var space : spaces.others()) open.add(steps.open(space.path(), 0));
    for (int i = 0; i < open.size(); i++) {
      var space = spaces.others().get(i);
      steps.enter(space.path(), space.kind(), open.get(i));
    }
    program.may(SystemCall.KEYCTL, JOIN_SESSION_KEYRING, 0);
  }

  private void main(ContainerSpec spec, String file, boolean terminal) {
    steps.signals();
    program.may(SystemCall.UMASK, UMASK);
    steps.workingDirectory(ContainerProgram.workingDirectory(spec));
    program.may(SystemCall.SETSID);
    if (terminal) {
      program.must("take the terminal", SystemCall.IOCTL, TERMINAL, TIOCSCTTY, 0);
      for (int stream = 0; stream <= ERROR; stream++)
        program.must("use the terminal", SystemCall.DUP3, TERMINAL, stream, 0);
    }
    steps.rights(spec.user(), spec.rights());
    steps.closeFrom(3);
    var command = spec.program().command();
    program.must(
        "exec: \"%s\"".formatted(command.getFirst()),
        SystemCall.EXECVE,
        program.text(file),
        program.texts(command),
        program.texts(ContainerProgram.environment(spec)));
    program.exit(126);
  }
}
