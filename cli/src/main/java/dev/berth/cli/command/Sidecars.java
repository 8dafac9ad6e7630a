package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.flags.CommandLines;
import dev.berth.cli.flags.Program;
import dev.berth.cli.option.OwnFlags;
import dev.berth.cli.sidecars.Launch;
import dev.berth.cli.terminal.Terminal;
import dev.berth.sidecar.part.Sidecar;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
    name = "sidecars",
    description = {
      "Stands beside the controllers of CSI drivers on any cluster, in place of upstream's"
          + " sidecars: for one driver or several, in one process, until SIGTERM; drivers may come"
          + " and go.",
      "Flags have upstream's names and defaults: --timeout for all, --attacher-timeout for one."
          + " berth sidecars --help lists them."
    },
    footer = {
      "",
      "Examples:",
      "  berth sidecars --csi-address /csi/csi.sock --leader-election",
      "  berth sidecars --csi-address /run/disk.sock --kubeconfig ~/.kube/config",
      "  berth sidecars --controllers provisioner,attacher --provisioner-timeout 1m"
    })
final class Sidecars implements Callable<Integer>, OwnFlags {
  private static final int MISUNDERSTOOD = 2;
  private static final String CONTROLLERS = "--controllers";

  private static final List<Program> PROGRAMS =
      Arrays.stream(Program.values()).filter(each -> each.sidecar().isPresent()).toList();

  @Parameters(paramLabel = "FLAG", arity = "0..*", description = "As upstream's sidecars take.")
  private List<String> words = new ArrayList<>();

  @Override
  public Integer call() throws InterruptedException {
    var terminal = Terminal.standard();
    var rest = new ArrayList<String>();
    var chosen = chosen(rest);
    if (dev.berth.cli.command.Sidecar.asksHelp(rest)) {
      terminal.line(
          "Usage: berth sidecars [FLAG...]\nFlags, each also for one sidecar alone"
              + " (--attacher-timeout):");
      terminal.line(
          "  %-38s Which sidecars may work, by name and comma; auto: all for which the driver can"
                  .formatted(CONTROLLERS + " string")
              + " do something (default auto)");
      CommandLines.help(PROGRAMS).forEach(terminal::line);
      return 0;
    }
    var line = CommandLines.read(PROGRAMS, rest);
    if (line.given().values().stream().anyMatch(each -> each.isOn("version"))) {
      var matched = PROGRAMS.stream().map(Program::matched).collect(Collectors.joining(", "));
      terminal.line("berth sidecars %s, as %s".formatted(Launch.version(), matched));
      return 0;
    }
    new Launch(line, chosen, "berth sidecars").run();
    return 0;
  }

  /// ONE-11.
  ///
  /// @param rest gets all other words
  private Set<Sidecar> chosen(List<String> rest) {
    var chosen = EnumSet.noneOf(Sidecar.class);
    var each = words.iterator();
    while (each.hasNext()) {
      var word = each.next();
      var sides = word.replaceFirst("^--?", "--").split("=", 2);
      if (!word.startsWith("-") || !sides[0].equals(CONTROLLERS)) rest.add(word);
      else if (sides.length == 2) add(sides[1], chosen);
      else if (each.hasNext()) add(each.next(), chosen);
      else throw new Problem(CONTROLLERS + " needs names, or auto", MISUNDERSTOOD);
    }
    return chosen.isEmpty() ? EnumSet.allOf(Sidecar.class) : chosen;
  }

  private static void add(String names, Set<Sidecar> chosen) {
    for (var name : names.split(",")) {
      if (name.equals("auto")) chosen.addAll(EnumSet.allOf(Sidecar.class));
      else
        chosen.add(
            Program.named(name)
                .flatMap(Program::sidecar)
                .orElseThrow(() ->
                    new Problem(
                        "%s %s: there are auto, %s"
                            .formatted(
                                CONTROLLERS,
                                name,
                                PROGRAMS.stream()
                                    .map(Program::title)
                                    .collect(Collectors.joining(", "))),
                        MISUNDERSTOOD)));
    }
  }
}
