package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.controllers.ControllersProcess;
import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Program;
import dev.berth.cli.option.OwnFlags;
import dev.berth.cli.sidecars.Launch;
import dev.berth.cli.terminal.Terminal;
import dev.berth.controller.roster.Member;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "controllers",
    description = {
      "Does on any cluster what kube-controller-manager and kube-scheduler do for storage: binds,"
          + " schedules, attaches, protects; alone or as one of several, until SIGTERM.",
      "Flags have upstream's names and defaults. berth controllers --help lists them."
    },
    footer = {
      "",
      "Examples:",
      "  berth controllers --kubeconfig ~/.kube/config",
      "  berth controllers --controllers '*,-kube-scheduler' --http-endpoint :8080"
    })
final class ControllersCommand implements Callable<Integer>, OwnFlags {
  private static final int MISUNDERSTOOD = 2;

  @Parameters(paramLabel = "FLAG", arity = "0..*", description = "As upstream's programs take.")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    var program = Program.CONTROLLERS;
    var terminal = Terminal.standard();
    if (Sidecar.asksHelp(words)) {
      terminal.line(
          ("Usage: berth controllers [FLAG...]\n"
                  + "Does what %s do for storage: %s.\n\n"
                  + "Example:\n"
                  + "  berth controllers --kubeconfig ~/.kube/config --http-endpoint :8080\n\n"
                  + "Flags:")
              .formatted(
                  program.matched(),
                  Arrays.stream(Member.values())
                      .map(Member::title)
                      .collect(Collectors.joining(", "))));
      CommandLines.help(List.of(program)).forEach(terminal::line);
      return 0;
    }
    var line = CommandLines.read(List.of(program), words);
    if (!line.words().isEmpty())
      throw new Problem("no flags: " + String.join(" ", line.words()), MISUNDERSTOOD);
    var given = line.of(program);
    if (given.isOn("version")) {
      terminal.line("berth controllers %s, as %s".formatted(Launch.version(), program.matched()));
      return 0;
    }
    ControllersProcess.run(given, line.idle());
    return 0;
  }
}
