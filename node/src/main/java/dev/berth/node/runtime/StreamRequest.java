package dev.berth.node.runtime;

import java.util.List;

/// What a client wants to be carried between itself and a pod.
public sealed interface StreamRequest {
  /// Which of a program's streams.
  ///
  /// @param terminal whether the program has, or gets, one; its output is standard error as well
  ///   then
  record Streams(boolean input, boolean output, boolean error, boolean terminal) {}

  /// Of a program that is started for it.
  record Exec(ContainerId container, List<String> command, Streams streams)
      implements StreamRequest {
    public Exec {
      command = List.copyOf(command);
    }
  }

  /// Of the container's own program.
  record Attach(ContainerId container, Streams streams) implements StreamRequest {}

  /// Connections to ports of a pod.
  record Ports(String podUid) implements StreamRequest {}
}
