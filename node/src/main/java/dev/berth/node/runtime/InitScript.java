package dev.berth.node.runtime;

import dev.berth.node.runtime.ContainerSpec.Rights;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What the first process of a container does: it says that it is there, runs the program with its
/// rights and its environment taken down to what the spec says, and reaps what the program leaves
/// behind. Written to a file that only root can read, for the environment may hold secrets.
final class InitScript {
  private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  private InitScript() {}

  /// The script, for a POSIX shell: descriptor 1 is the log, 2 the agent, 3 the script itself, 5
  /// the file that tells that the container has started.
  static String of(ContainerSpec spec) {
    var environment = new TreeMap<>(spec.program().environment());
    environment.putIfAbsent("PATH", PATH);
    environment.putIfAbsent("HOME", spec.user().uid() == 0 ? "/root" : "/");
    environment.putIfAbsent("HOSTNAME", spec.hostName());
    var names = List.copyOf(environment.keySet());
    var command = new ArrayList<String>();
    command.addAll(privileges(spec.user(), spec.rights()));
    command.addAll(environment(names));
    command.addAll(spec.program().command());
    return """
    exec 3<&- 6>&2 2>/dev/null
    (
      echo started >&5
      trap '' PIPE # the agent may be gone
      echo started >&6
      trap - PIPE
      exec 2>&1 5>&- 6>&-
      cd %s || exit
      %s
      exec %s
    )
    exit $?
    """
        .formatted(
            quoted(workingDirectory(spec)),
            exports(List.copyOf(environment.values())),
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

  /// Values travel in variables of the script's own, for everybody can read the arguments of every
  /// process and only its own user the environment.
  private static String exports(List<String> values) {
    return IntStream.range(0, values.size())
        .mapToObj(i -> "export " + variable(i) + "=" + quoted(values.get(i)))
        .collect(Collectors.joining("\n  "));
  }

  /// Makes the program's environment, and nothing else, of the script's variables. It is `env` that
  /// does it because no shell takes every name that a Secret may have, such as `tls.crt`.
  private static List<String> environment(List<String> names) {
    var words =
        IntStream.range(0, names.size())
            .mapToObj(i -> " \"" + escaped(names.get(i)) + "=${" + variable(i) + "}\"")
            .collect(Collectors.joining());
    // An agent that was started by nohup, or behind a script's &, ignores signals; a shell cannot
    // undo that, and the program would inherit it.
    return List.of("env", "--default-signal", "-S", "-i --" + words);
  }

  private static String variable(int number) {
    return "BERTH_" + number;
  }

  /// For a word in double quotes that `env -S` reads.
  private static String escaped(String name) {
    return name.replaceAll("[\\\\\"$]", "\\\\$0");
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
