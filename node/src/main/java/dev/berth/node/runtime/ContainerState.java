package dev.berth.node.runtime;

import java.time.Instant;

/// What has become of a container that was started.
public sealed interface ContainerState {
  /// When its program was started.
  Instant started();

  /// Its processes run.
  record Running(Instant started) implements ContainerState {}

  /// Its main process has ended, and all others with it.
  ///
  /// @param exitCode of the main process; 128 + n if signal n killed it (137: SIGKILL, 143:
  ///   SIGTERM)
  record Exited(Instant started, Instant finished, int exitCode) implements ContainerState {}

  /// It is gone and nobody saw how: the machine was restarted, or what watched it was killed and
  /// took it along. What Kubernetes calls ContainerStatusUnknown, with exit code 137.
  ///
  /// @param missed when it was found to be gone
  /// @param why a sentence for people
  record Lost(Instant started, Instant missed, String why) implements ContainerState {}
}
