package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Program;
import dev.berth.cli.option.OwnFlags;
import dev.berth.cli.sidecars.Launch;
import dev.berth.cli.sidecars.NodePrograms;
import dev.berth.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "sidecar",
    description = {
      "Does what one of Kubernetes' CSI sidecars does, by that sidecar's own command line,"
          + " unchanged: provisioner, attacher, resizer, snapshotter, health-monitor,"
          + " livenessprobe, node-driver-registrar.",
      "What it has no use for, it takes all the same. berth sidecar NAME --help lists the flags."
    },
    footer = {
      "",
      "Examples:",
      "  berth sidecar provisioner --csi-address=/csi/csi.sock --leader-election",
      "  berth sidecar attacher --csi-address=/csi/csi.sock --timeout=60s -v=5"
    })
final class Sidecar implements Callable<Integer>, OwnFlags {
  private static final int MISUNDERSTOOD = 2;

  @Parameters(
      paramLabel = "NAME [FLAG...]",
      arity = "1..*",
      description = "The sidecar, by its own name or its project's, and its flags.")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    var name = words.getFirst();
    var program =
        Program.named(name)
            .filter(Program::besideDriver)
            .orElseThrow(() ->
                new Problem("there is no sidecar %s; %s".formatted(name, names()), MISUNDERSTOOD));
    var rest = words.subList(1, words.size());
    var terminal = Terminal.standard();
    var command = "berth sidecar " + program.title();
    if (asksHelp(rest)) {
      terminal.line(
          "Usage: %s [FLAG...]\nDoes what %s does. Flags:".formatted(command, program.matched()));
      CommandLines.help(List.of(program)).forEach(terminal::line);
      return 0;
    }
    var line = CommandLines.read(List.of(program), rest);
    var given = line.of(program);
    if (given.isOn("version")) {
      terminal.line("%s %s, as %s".formatted(command, Launch.version(), program.matched()));
      return 0;
    }
    return switch (program) {
      case LIVENESSPROBE -> NodePrograms.livenessProbe(given);
      case NODE_DRIVER_REGISTRAR -> NodePrograms.registrar(given);
      default -> {
        new Launch(line, program.sidecar().stream().toList(), command).run();
        yield 0;
      }
    };
  }

  static boolean asksHelp(List<String> words) {
    return words.stream().anyMatch(List.of("-h", "-help", "--help")::contains);
  }

  private static String names() {
    return Arrays.stream(Program.values())
        .filter(Program::besideDriver)
        .map(Program::title)
        .collect(Collectors.joining(", ", "there are ", ""));
  }
}
