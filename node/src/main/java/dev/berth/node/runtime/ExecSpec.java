package dev.berth.node.runtime;

import java.util.List;

/// One more program for a container that runs: with the container's user, rights, environment and
/// working directory.
///
/// @param command program and arguments; a program without `/` is looked up in the container's
///   `PATH`
public record ExecSpec(List<String> command, Terminal terminal) {
  /// What the program talks to.
  public enum Terminal {
    /// Three streams.
    NONE,
    /// A terminal of its own, which is standard input, output and error in one.
    OWN
  }

  public ExecSpec {
    command = List.copyOf(command);
    if (command.isEmpty()) throw new IllegalArgumentException("there is no command");
  }
}
