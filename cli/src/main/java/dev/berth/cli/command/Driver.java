package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.terminal.Terminal;
import dev.berth.driver.disk.DiskDriver;
import dev.berth.driver.disk.DiskService;
import dev.berth.kube.http.HttpApi;
import dev.berth.sidecar.nodeplugin.LastDetach;
import dev.berth.sidecar.nodeplugin.StartupTaint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

@Command(
    name = "driver",
    description = "Serves one CSI driver alone, for any container orchestrator or test suite.",
    subcommands = {Driver.Disk.class, Driver.PreStop.class},
    footer = {
      "",
      "Example:",
      "  berth driver disk --endpoint unix:///run/disk.sock --node a --pool /var/lib/disks"
    })
final class Driver {
  /// Its arguments are the driver's own: it has a `--help` that says them.
  @Command(
      name = "disk",
      description = "File-backed disks; `berth driver disk --help` has its options.")
  static final class Disk implements Callable<Integer> {
    @Unmatched private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
      try (var _ = StartupTaint.begin(DiskDriver.NAME)) {
        return DiskService.run(arguments, System.out, System.err);
      }
    }
  }

  @Command(
      name = "pre-stop",
      mixinStandardHelpOptions = true,
      description = {
        "For the preStop hook of a driver's pod on a node: returns at once if the node stays, and"
            + " otherwise when no volume is attached to it any more. So the driver is there as long"
            + " as somebody needs it, and Kubernetes need not wait six minutes to attach the"
            + " volumes elsewhere.",
        "A node goes if it is cordoned, is being emptied by the cluster autoscaler or Karpenter, or"
            + " has no Node object any more."
      },
      footer = {"", "Example:", "  berth driver pre-stop --node worker-1"})
  static final class PreStop implements Callable<Integer> {
    /// The kubelet's patience, the pod's grace period, is shorter and ends the wait.
    private static final Duration PATIENCE = Duration.ofDays(1);

    @Option(
        names = "--node",
        paramLabel = "NAME",
        defaultValue = "${env:CSI_NODE_NAME}",
        description = "Name of the Node object; the variable CSI_NODE_NAME by default.")
    private String node = "";

    @Option(
        names = "--kubeconfig",
        paramLabel = "FILE",
        description = "Which API server to ask; by default that of the pod or of KUBECONFIG.")
    private Optional<Path> kubeconfig = Optional.empty();

    @Override
    public Integer call() throws InterruptedException {
      if (node.isEmpty())
        throw new Problem("--node is missing, and CSI_NODE_NAME is not set either", 2);
      try (var api = api()) {
        var outcome = new LastDetach(api, node).await(PATIENCE);
        Terminal.standard()
            .line(
                switch (outcome) {
                  case NODE_STAYS -> "node " + node + " stays: nothing to wait for";
                  case DETACHED -> "no volume is attached to node " + node;
                  case TIMED_OUT -> "volumes are still attached to node " + node;
                });
        return outcome == LastDetach.Outcome.TIMED_OUT ? 1 : 0;
      }
    }

    private HttpApi api() {
      return kubeconfig
          .map(file -> HttpApi.of(file, Optional.empty()))
          .orElseGet(HttpApi::ofSurroundings);
    }
  }
}
