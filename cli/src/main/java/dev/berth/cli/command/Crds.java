package dev.berth.cli.command;

import dev.berth.cli.shipped.ShippedKind;
import dev.berth.cli.terminal.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

@Command(
    name = "crds",
    description = {
      "Writes the definitions of the custom kinds that berth up brings: snapshots, group snapshots,"
          + " reference grants.",
      "They are for clusters that lack them."
    },
    footer = {"", "Example:", "  berth crds | kubectl apply -f -"})
final class Crds implements Callable<Integer> {
  @Override
  public Integer call() {
    var terminal = Terminal.standard();
    for (var kind : ShippedKind.all()) {
      terminal.line("---");
      terminal.line(kind.text().stripTrailing());
    }
    return 0;
  }
}
