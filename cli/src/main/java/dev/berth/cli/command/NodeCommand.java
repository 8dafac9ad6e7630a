package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Program;
import dev.berth.cli.nodeagent.NodeProcess;
import dev.berth.cli.option.OwnFlags;
import dev.berth.cli.sidecars.Launch;
import dev.berth.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "node",
    subcommands = NodeOutOfService.class,
    description = {
      "Is a node of any cluster: registers it, serves CSI drivers that register with it, mounts the"
          + " volumes of its pods and runs their containers; in a kubelet's place, by the kubelet's"
          + " command line. A stop ends no container and unmounts nothing.",
      "Containers are run by a container engine, or without one from the image host, the machine's"
          + " own root file system, and from images that berth image has imported. berth node"
          + " --help lists the flags."
    },
    footer = {
      "",
      "Example:",
      "  berth node --kubeconfig /etc/kubernetes/kubelet.conf --root-dir /var/lib/kubelet",
      "  berth node out-of-service worker-1"
    })
final class NodeCommand implements Callable<Integer>, OwnFlags {
  @Parameters(paramLabel = "FLAG", arity = "0..*", description = "Flags of the kubelet.")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    var program = Program.KUBELET;
    var terminal = Terminal.standard();
    if (Sidecar.asksHelp(words)) {
      terminal.line(
          "Usage: berth node --kubeconfig FILE [FLAG...]\nDoes what %s does for storage. Flags:"
              .formatted(program.matched()));
      CommandLines.help(List.of(program)).forEach(terminal::line);
      terminal.line(
          "\nExample:\n  berth node --kubeconfig /etc/kubernetes/kubelet.conf --root-dir"
              + " /var/lib/kubelet --hostname-override node-a");
      return 0;
    }
    var line = CommandLines.read(List.of(program), words);
    if (!line.words().isEmpty())
      throw new Problem(
          "\"%s\" is no flag, and a node takes nothing else".formatted(line.words().getFirst()),
          CommandLine.ExitCode.USAGE);
    var given = line.of(program);
    var version = "berth node %s".formatted(Launch.version());
    if (given.isOn("version")) {
      terminal.line("%s, as %s".formatted(version, program.matched()));
      return 0;
    }
    return NodeProcess.run(given, version);
  }
}
