package dev.berth.node.pod.local;

import dev.berth.node.runtime.ContainerId;
import dev.berth.node.runtime.ContainerState;

/// One run of a container.
///
/// @param message what it left at its end; empty: nothing, or it still runs
/// @param image id of the image that it runs from; empty: not known
public record Run(ContainerId id, ContainerState state, String message, String image) {
  /// From an image of which nothing is known.
  public Run(ContainerId id, ContainerState state, String message) {
    this(id, state, message, "");
  }

  public boolean runs() {
    return state instanceof ContainerState.Running;
  }

  /// Whether it did what it was to do.
  public boolean succeeded() {
    return state instanceof ContainerState.Exited(_, _, int exitCode) && exitCode == 0;
  }
}
