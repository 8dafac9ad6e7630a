package dev.berth.node.pod.local;

import dev.berth.node.runtime.Container;
import dev.berth.node.runtime.ContainerRuntime;

/// What the runtime knows, as [Run]s.
public final class Runs {
  private Runs() {}

  /// One container, with its last words if it has ended.
  public static Run read(ContainerRuntime runtime, Container container) {
    var run = new Run(container.id(), container.state(), "", container.image());
    return run.runs()
        ? run
        : new Run(run.id(), run.state(), runtime.terminationMessage(container.id()), run.image());
  }
}
