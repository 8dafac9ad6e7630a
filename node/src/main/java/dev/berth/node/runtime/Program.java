package dev.berth.node.runtime;

import java.util.List;
import java.util.Map;

/// What a container runs.
///
/// @param command program and arguments; a program without `/` is looked up in the `PATH` of
///   `environment`
/// @param environment all of it; without `PATH` the usual folders are added
/// @param workingDirectory inside the container, made if missing; empty: `/`
public record Program(
    List<String> command, Map<String, String> environment, String workingDirectory) {
  public Program {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }
}
