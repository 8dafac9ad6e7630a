package dev.berth.node.pod.local;

import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerState;

/// One run of a container.
///
/// @param message what it left at its end; empty: nothing, or it still runs
public record Run(ContainerId id, ContainerState state, String message) {
  public boolean runs() {
    return state instanceof ContainerState.Running;
  }

  /// Whether it did what it was to do.
  public boolean succeeded() {
    return state instanceof ContainerState.Exited(_, _, int exitCode) && exitCode == 0;
  }
}
