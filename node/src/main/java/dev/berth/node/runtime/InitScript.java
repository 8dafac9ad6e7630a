package dev.berth.node.runtime;

import dev.berth.node.runtime.ContainerSpec.Rights;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;

/// What the first process of a container does: it says that it is there, runs the program with its
/// rights and its environment taken down to what the spec says, and reaps what the program leaves
/// behind. Written to a file that only root can read, for the environment may hold secrets.
final class InitScript {
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private InitScript() {}

  /// The script, for a POSIX shell: descriptor 1 is the log, 2 the agent, 3 the script itself, 5
  /// the file that tells that the container has started.
  static String of(ContainerSpec spec) {
    var command = new ArrayList<String>();
    command.addAll(privileges(spec.user(), spec.rights()));
    command.addAll(environment(spec));
    command.addAll(spec.program().command());
    return """
    exec 3<&- 6>&2 2>/dev/null
    (
      echo started >&5
      trap '' PIPE # the agent may be gone
      echo started >&6
      trap - PIPE
      exec 2>&1 5>&- 6>&-
      cd %s && exec %s
    )
    exit $?
    """
        .formatted(
            quoted(workingDirectory(spec)),
            command.stream().map(InitScript::quoted).collect(Collectors.joining(" ")));
  }

  static String workingDirectory(ContainerSpec spec) {
    var directory = spec.program().workingDirectory();
    return directory.isEmpty() ? "/" : directory;
  }

  /// Folders in which the program is looked up.
  static List<String> path(ContainerSpec spec) {
    var path = spec.program().environment().getOrDefault("PATH", PATH);
    return List.of(path.split(":", -1));
  }

  private static List<String> privileges(User user, Rights rights) {
    var command =
        new ArrayList<>(List.of("setpriv", "--reuid=" + user.uid(), "--regid=" + user.gid()));
    command.add(
        user.groups().isEmpty()
            ? "--clear-groups"
            : "--groups="
                + user.groups().stream().map(String::valueOf).collect(Collectors.joining(",")));
    if (rights != Rights.PRIVILEGED) {
      command.add("--inh-caps=-all");
      command.add("--bounding-set=" + Capabilities.takenAway());
    }
    if (rights == Rights.NO_NEW_PRIVILEGES) command.add("--no-new-privs");
    command.add("--");
    return command;
  }

  private static List<String> environment(ContainerSpec spec) {
    var environment = new HashMap<>(spec.program().environment());
    environment.putIfAbsent("PATH", PATH);
    environment.putIfAbsent("HOME", spec.user().uid() == 0 ? "/root" : "/");
    environment.putIfAbsent("HOSTNAME", spec.hostName());
    var command = new ArrayList<>(List.of("env", "-i"));
    environment.forEach((name, value) -> command.add(name + "=" + value));
    return command;
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
