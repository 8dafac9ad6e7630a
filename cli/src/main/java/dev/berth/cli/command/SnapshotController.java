package dev.berth.cli.command;

import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Program;
import dev.berth.cli.option.OwnFlags;
import dev.berth.cli.sidecars.Launch;
import dev.berth.cli.sidecars.SnapshotControllerProcess;
import dev.berth.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "snapshot-controller",
    description = {
      "Binds VolumeSnapshots to contents, keeps what they need and lets go of what is deleted: what"
          + " upstream's snapshot-controller does, by its command line.",
      "One for a cluster, whatever drivers it has. berth snapshot-controller --help lists the"
          + " flags."
    },
    footer = {"", "Example:", "  berth snapshot-controller --leader-election"})
final class SnapshotController implements Callable<Integer>, OwnFlags {
  @Parameters(paramLabel = "FLAG", arity = "0..*", description = "Flags of upstream's program.")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    var program = Program.SNAPSHOT_CONTROLLER;
    var terminal = Terminal.standard();
    if (Sidecar.asksHelp(words)) {
      terminal.line(
          "Usage: berth snapshot-controller [FLAG...]\nDoes what %s does. Flags:"
              .formatted(program.matched()));
      CommandLines.help(List.of(program)).forEach(terminal::line);
      return 0;
    }
    var given = CommandLines.read(List.of(program), words).of(program);
    if (given.isOn("version")) {
      terminal.line(
          "berth snapshot-controller %s, as %s".formatted(Launch.version(), program.matched()));
      return 0;
    }
    return new SnapshotControllerProcess(given).run();
  }
}
