package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.option.ClusterOption;
import dev.berth.cli.terminal.Terminal;
import dev.berth.driver.baremetal.BareMetalService;
import dev.berth.driver.disk.DiskService;
import dev.berth.kube.http.HttpApi;
import dev.berth.kube.value.GoDuration;
import dev.berth.sidecar.nodeplugin.LastDetach;
import dev.berth.sidecar.nodeplugin.StartupTaint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

@Command(
    name = "driver",
    description = "Serves one CSI driver alone, for any container orchestrator or test suite.",
    subcommands = {
      Driver.Disk.class,
      Driver.BareMetal.class,
      Driver.StartupTaintOff.class,
      Driver.PreStop.class
    },
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
      return DiskService.run(arguments, System.out, System.err);
    }
  }

  /// Likewise.
  @Command(
      name = "baremetal",
      description = "Local drives; `berth driver baremetal --help` has its options.")
  static final class BareMetal implements Callable<Integer> {
    @Unmatched private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
      return BareMetalService.run(arguments, System.out, System.err);
    }
  }

  /// On which node of which cluster this is.
  static final class OnNode {
    @Option(
        names = "--node",
        paramLabel = "NAME",
        defaultValue = "${env:CSI_NODE_NAME}",
        description = "Name of the Node object; the variable CSI_NODE_NAME by default.")
    private String node = "";

    @Mixin private ClusterOption cluster = new ClusterOption();

    String node() {
      if (node.isEmpty())
        throw new Problem("--node is missing, and CSI_NODE_NAME is not set either", 2);
      return node;
    }

    HttpApi api() {
      return cluster.api(1);
    }
  }

  @Command(
      name = "startup-taint",
      mixinStandardHelpOptions = true,
      description =
          "Takes the taint DRIVER/agent-not-ready off a node when the kubelet has counted the"
              + " driver there, and ends; after ten minutes in any case. A driver's process, such"
              + " as `berth driver disk`, starts it beside itself where CSI_NODE_NAME is set and"
              + " DISABLE_TAINT_WATCHER is not true.",
      footer = {
        "",
        "Example:",
        "  berth driver startup-taint --driver disk.berth.dev --node worker-1"
      })
  static final class StartupTaintOff implements Callable<Integer> {
    @Mixin private OnNode on = new OnNode();

    @Option(names = "--driver", paramLabel = "NAME", required = true, description = "Its CSI name.")
    private String driver = "";

    @Override
    public Integer call() throws InterruptedException {
      var node = on.node();
      var taint = driver + "/agent-not-ready";
      try (var api = on.api()) {
        var outcome = new StartupTaint(api, driver, node).remove();
        Terminal.standard()
            .line(
                switch (outcome) {
                  case REMOVED -> "node %s has no taint %s any more".formatted(node, taint);
                  case ABSENT -> "node %s has no taint %s".formatted(node, taint);
                  case FORBIDDEN -> "the taint %s is for somebody else to remove".formatted(taint);
                  case GAVE_UP -> "node %s still has the taint %s".formatted(node, taint);
                });
        return outcome == StartupTaint.Outcome.GAVE_UP ? 1 : 0;
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
    @Mixin private OnNode on = new OnNode();

    @Option(
        names = "--timeout",
        paramLabel = "TIME",
        defaultValue = "24h",
        description =
            "How long to wait; then the driver may go all the same. The pod's grace period counts"
                + " from the hook's beginning: leave some of it to the driver, which lets calls"
                + " finish for 20 s. Default: ${DEFAULT-VALUE}, that is until the kubelet ends it.")
    private String timeout = "24h";

    @Override
    public Integer call() throws InterruptedException {
      var patience = patience();
      var node = on.node();
      try (var api = on.api()) {
        var outcome = new LastDetach(api, node).await(patience);
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

    private Duration patience() {
      return GoDuration.parse(timeout)
          .filter(time -> !time.isNegative())
          .orElseThrow(() ->
              Problem.ofCommandLine(
                  "--timeout %s is no time; write 30s, 10m or 1h30m".formatted(timeout)));
    }
  }
}
