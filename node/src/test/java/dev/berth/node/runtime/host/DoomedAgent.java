package dev.berth.node.runtime.host;

import dev.berth.node.layout.Layout;
import dev.berth.node.runtime.ContainerId;
import java.nio.file.Path;
import java.util.List;

/// What a test kills: a process with a runtime that starts one container, the second in its life
/// and so without delay, and then waits to die.
final class DoomedAgent {
  private DoomedAgent() {}

  /// Says `open`, then starts, then says `started`.
  ///
  /// @param arguments root of the node, log, script
  public static void main(String[] arguments) throws Exception {
    var runtime = HostRuntime.open(new Layout(Path.of(arguments[0])), List.of());
    var warmUp = new ContainerId("pod-0", "warm-up", 0);
    runtime.start(ContainerBench.spec(warmUp, "exit", Path.of(arguments[1] + "-warm-up")));
    runtime.remove(warmUp);
    System.out.println("open");
    runtime.start(
        ContainerBench.spec(
            new ContainerId("pod-1", "app", 0), arguments[2], Path.of(arguments[1])));
    System.out.println("started");
    Thread.sleep(60_000);
  }
}
