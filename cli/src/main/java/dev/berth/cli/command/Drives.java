package dev.berth.cli.command;

import dev.berth.cli.drives.Rack;
import dev.berth.cli.drives.Sheet;
import dev.berth.cli.drives.Writing;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.session.AskedCluster;
import dev.berth.cli.terminal.Terminal;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Marks;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "drives",
    description = {
      "Lists the drives of the bare-metal driver, and looks after them. Each of its words is an"
          + " annotation or a label of a drive, which kubectl may set as well"
          + " (docs/bare-metal.md).",
      "A DRIVE is named by its serial number, or by its object's name."
    },
    subcommands = {
      Drives.Cordon.class,
      Drives.Uncordon.class,
      Drives.Locate.class,
      DrivesDiscover.class,
      DrivesInit.class,
      DrivesReplace.class,
      Drives.Keep.class
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done",
      "1:it failed, or the cluster cannot be asked",
      "2:there is no such drive, or the command line cannot be understood",
      "11:the drive's node should have done its part by now",
      "12:it waits for somebody's act"
    },
    footer = {
      "",
      "Examples:",
      "  berth drives",
      "  berth drives -o json --kubeconfig ~/.kube/config",
      "  berth drives locate HDD0001",
      "  berth drives replace HDD0001 --data-moved"
    })
final class Drives implements Callable<Integer> {
  /// Exit code: a drive's node should have done its part by now.
  static final int LATE = 11;

  /// Exit code: it waits for somebody's act.
  static final int NEEDS_SOMEBODY = 12;

  @Mixin private AskedCluster cluster = new AskedCluster();
  @Mixin private OutputOption output = new OutputOption();

  @Override
  public Integer call() {
    try (var session = cluster.open()) {
      var sheet = new Sheet(Rack.read(session.api()));
      var terminal = Terminal.standard();
      if (output.whole()) terminal.line(output.write(sheet.json()));
      else terminal.table(sheet.rows(output.wide()));
      return 0;
    }
  }

  /// Drives by their names: all are known before anything is done to one.
  static final class Named {
    @Mixin private AskedCluster cluster = new AskedCluster();

    @Parameters(paramLabel = "DRIVE", arity = "1..*", description = "Which drives.")
    private List<String> names = List.of();

    interface Act {
      void to(Drive drive, Writing writing);
    }

    int each(Act act, String done) {
      try (var session = cluster.open()) {
        var rack = Rack.read(session.api());
        var drives = names.stream().map(rack::named).toList();
        for (var drive : drives) {
          act.to(drive, new Writing(session.api()));
          Terminal.standard()
              .line("drive %s of %s %s".formatted(drive.shortName(), rack.node(drive), done));
        }
        return 0;
      }
    }
  }

  @Command(
      name = "cordon",
      mixinStandardHelpOptions = true,
      description = "Keeps new volumes off drives; those that are on them stay.",
      footer = {"", "Example:", "  berth drives cordon HDD0001"})
  static final class Cordon implements Callable<Integer> {
    @Mixin private Named named = new Named();

    @Override
    public Integer call() {
      return named.each((drive, writing) -> writing.cordon(drive, true), "is cordoned");
    }
  }

  @Command(
      name = "uncordon",
      mixinStandardHelpOptions = true,
      description = "Lets new volumes have drives again.",
      footer = {"", "Example:", "  berth drives uncordon HDD0001"})
  static final class Uncordon implements Callable<Integer> {
    @Mixin private Named named = new Named();

    @Override
    public Integer call() {
      return named.each((drive, writing) -> writing.cordon(drive, false), "is not cordoned");
    }
  }

  @Command(
      name = "locate",
      mixinStandardHelpOptions = true,
      description =
          "Has the lamps of drives turned on, so that somebody finds them; with --off, off.",
      footer = {
        "",
        "Examples:",
        "  berth drives locate HDD0001",
        "  berth drives locate HDD0001 --off"
      })
  static final class Locate implements Callable<Integer> {
    @Mixin private Named named = new Named();

    @Option(names = "--off", description = "Turn them off.")
    private boolean off;

    @Override
    public Integer call() {
      var word = off ? Marks.OFF : Marks.ON;
      return named.each(
          (drive, writing) -> writing.mark(drive, Map.of(Marks.LOCATE, word)),
          "is to have its lamp " + word + "; berth drives shows whether it has one");
    }
  }

  @Command(
      name = "keep",
      mixinStandardHelpOptions = true,
      description =
          "Takes drives back into service that were to be replaced. One that itself says that it is"
              + " failing gets the annotation health=good, and is believed again when you take that"
              + " away.",
      footer = {"", "Example:", "  berth drives keep HDD0001"})
  static final class Keep implements Callable<Integer> {
    @Mixin private Named named = new Named();

    @Override
    public Integer call() {
      return named.each((drive, writing) -> writing.keep(drive), "stays in service");
    }
  }
}
