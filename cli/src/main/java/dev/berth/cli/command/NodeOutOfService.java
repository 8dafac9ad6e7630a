package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.outofservice.OutOfService;
import dev.berth.cli.session.AskedCluster;
import dev.berth.cli.terminal.Terminal;
import dev.berth.kube.value.GoDuration;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "out-of-service",
    mixinStandardHelpOptions = true,
    description = {
      "Gives up a node whose machine is off: sees that nothing is heard of it, sets the taint"
          + " node.kubernetes.io/out-of-service, waits until its pods are removed and their volumes"
          + " taken off, and takes the taint off again. What keeps the pods makes them anew on"
          + " other nodes.",
      "Only for a machine that is off: two that write to one volume destroy it."
    },
    footer = {"", "Example:", "  berth node out-of-service worker-1"})
final class NodeOutOfService implements Callable<Integer> {
  @Mixin private AskedCluster cluster = new AskedCluster();

  @Parameters(paramLabel = "NAME", description = "Name of the Node object.")
  private String node = "";

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "10m",
      description = "How long to wait for pods and volumes to leave; 10m by default.")
  private String timeout = "10m";

  @Override
  public Integer call() throws InterruptedException {
    var patience = patience();
    try (var asked = cluster.open()) {
      try {
        new OutOfService(asked.api(), node, OutOfService.SILENCE, Terminal.standard()::line)
            .run(patience);
      } catch (Problem told) {
        throw new Problem(asked.typed(String.valueOf(told.getMessage())), told.exitCode());
      }
    }
    return 0;
  }

  private Duration patience() {
    return GoDuration.parse(timeout)
        .filter(time -> !time.isNegative())
        .orElseThrow(() ->
            Problem.ofCommandLine(
                "--timeout %s is no time; write 30s, 10m or 1h30m".formatted(timeout)));
  }
}
