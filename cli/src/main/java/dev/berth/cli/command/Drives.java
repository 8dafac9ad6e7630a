package dev.berth.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.cli.Problem;
import dev.berth.cli.drives.News;
import dev.berth.cli.drives.Rack;
import dev.berth.cli.drives.Replacing;
import dev.berth.cli.drives.Replacing.Next;
import dev.berth.cli.drives.ReviewedList;
import dev.berth.cli.drives.Sheet;
import dev.berth.cli.drives.Told;
import dev.berth.cli.drives.Users;
import dev.berth.cli.drives.Writing;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.session.AskedCluster;
import dev.berth.cli.terminal.Terminal;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.kube.api.Api;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
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
      Drives.Discover.class,
      Drives.Init.class,
      Drives.Replace.class,
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
  private static final int LATE = 11;
  private static final int NEEDS_SOMEBODY = 12;

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

    private interface Act {
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
      name = "discover",
      mixinStandardHelpOptions = true,
      description =
          "Writes down which drives hold something, so that no volume gets them, for you to read:"
              + " what may go is marked there, and `berth drives init` takes it. Changes nothing.",
      footer = {
        "",
        "Examples:",
        "  berth drives discover drives.yaml",
        "  berth drives discover drives.yaml --node worker-1"
      })
  static final class Discover implements Callable<Integer> {
    @Mixin private AskedCluster cluster = new AskedCluster();

    @Parameters(paramLabel = "FILE", description = "A new file.")
    private Path file = Path.of("drives.yaml");

    @Option(names = "--node", paramLabel = "NAME", description = "Only drives of this node.")
    private Optional<String> node = Optional.empty();

    @Override
    public Integer call() {
      try (var session = cluster.open()) {
        var rack = Rack.read(session.api());
        Predicate<Drive> wanted = drive -> node.isEmpty() || node.get().equals(rack.node(drive));
        long found = rack.drives().stream().filter(ReviewedList::isOne).filter(wanted).count();
        Files.writeString(
            file,
            ReviewedList.text(rack, file.toString(), wanted),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE);
        Terminal.standard()
            .line(
                "%s: %d drives hold something; mark what may go, then: berth drives init %s"
                    .formatted(file, found, file));
        return 0;
      } catch (IOException cannot) {
        throw new Problem(
            "%s cannot be written: it is there already, or %s"
                .formatted(file, cannot.getMessage()));
      }
    }
  }

  @Command(
      name = "init",
      mixinStandardHelpOptions = true,
      description =
          "Takes everything off the drives that a list of `berth drives discover` marks, so that"
              + " volumes can have them. If one of them is not as it was, nothing is done.",
      footer = {"", "Example:", "  berth drives init drives.yaml"})
  static final class Init implements Callable<Integer> {
    @Mixin private AskedCluster cluster = new AskedCluster();
    @Mixin private Patience patience = new Patience();

    @Parameters(paramLabel = "FILE", description = "The list.")
    private Path file = Path.of("drives.yaml");

    @Override
    public Integer call() throws InterruptedException {
      var list = ReviewedList.read(file);
      try (var session = cluster.open();
          var news = new News(session.api())) {
        var chosen = list.chosen(Rack.read(session.api()));
        if (chosen.isEmpty()) {
          Terminal.standard().line("%s marks no drive: write initialize: true".formatted(file));
          return 0;
        }
        var before = new HashMap<Drive, Integer>();
        for (var drive : chosen) before.put(drive, refusals(session.api(), drive));
        for (var drive : chosen)
          new Writing(session.api()).mark(drive, Map.of(Marks.INITIALIZE, drive.review()));
        return await(session.api(), news, before);
      }
    }

    /// @param before how often each of them had been refused
    private int await(Api api, News news, Map<Drive, Integer> before) throws InterruptedException {
      var left = new ArrayList<>(before.keySet());
      int exitCode = 0;
      while (true) {
        var rack = Rack.read(api);
        for (var drive : List.copyOf(left)) {
          var now = rack.again(drive);
          if (now.isPresent() && !now.get().word(Marks.INITIALIZE).isEmpty()) continue;
          // the node has taken the word away; that nothing is left it says a moment later
          if (now.isPresent()
              && !now.get().observed().clean()
              && refusals(api, drive) == before.getOrDefault(drive, 0)) continue;
          left.remove(drive);
          boolean done = now.filter(it -> it.observed().clean()).isPresent();
          Terminal.standard()
              .line(
                  "drive %s of %s %s"
                      .formatted(
                          drive.shortName(),
                          rack.node(drive),
                          done
                              ? "is initialized"
                              : "is left as it is; see berth explain drive/" + drive.uuid()));
          if (!done) exitCode = 1;
        }
        if (left.isEmpty()) return exitCode;
        if (patience.over()) {
          for (var drive : left)
            Terminal.standard()
                .line(
                    "drive %s of %s is still at it".formatted(drive.shortName(), rack.node(drive)));
          return LATE;
        }
        news.await(patience.left());
      }
    }

    private static int refusals(Api api, Drive drive) {
      return Told.times(api, drive, "DriveInitializationRefused");
    }
  }

  /// How long to wait for a drive's node.
  static final class Patience {
    @Option(
        names = "--timeout",
        paramLabel = "SECONDS",
        description = "How long to wait; default: ${DEFAULT-VALUE}.")
    private long seconds = 60;

    private final long begun = System.nanoTime();

    Duration left() {
      return Duration.ofSeconds(seconds).minusNanos(System.nanoTime() - begun);
    }

    boolean over() {
      return !left().isPositive();
    }
  }

  @Command(
      name = "replace",
      mixinStandardHelpOptions = true,
      description = {
        "Leads a drive out of service: whatever it says of itself, it counts as failing from now"
            + " on, and may be removed. Goes on until somebody else has to do something, and says"
            + " what; type it again when that is done. At the end the drive's lamp is on, and it"
            + " can be pulled.",
        "No data is moved by this, and none is taken away before its claim is deleted."
      },
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:the drive can be pulled, or is gone",
        "1:it failed",
        "2:there is no such drive",
        "11:the drive's node should have done its part by now",
        "12:it waits for somebody's act, as was said"
      },
      footer = {
        "",
        "Examples:",
        "  berth drives replace HDD0001",
        "  berth drives replace HDD0001 --data-moved"
      })
  static final class Replace implements Callable<Integer> {
    @Mixin private AskedCluster cluster = new AskedCluster();
    @Mixin private OutputOption output = new OutputOption();
    @Mixin private Patience patience = new Patience();

    @Parameters(paramLabel = "DRIVE", description = "Which drive.")
    private String name = "";

    @Option(
        names = "--data-moved",
        description =
            "The data of all volumes on the drive is somewhere else, or not needed any more: marks"
                + " them with release=done.")
    private boolean dataMoved;

    @Option(
        names = "--force",
        description = "Where a release has failed: the drive counts as removed all the same.")
    private boolean force;

    @Override
    public Integer call() throws InterruptedException {
      try (var session = cluster.open()) {
        var first = Rack.read(session.api()).named(name);
        try (var news = new News(session.api())) {
          return go(session, news, first);
        }
      }
    }

    private int go(AskedCluster.Asked session, News news, Drive first) throws InterruptedException {
      var intent = new Replacing.Intent(dataMoved, force);
      var writing = new Writing(session.api());
      while (true) {
        var rack = Rack.read(session.api());
        var now = rack.again(first);
        if (now.isEmpty()) return say(session, rack, first, 0, "is removed", List.of());
        var drive = now.get();
        switch (new Replacing(drive, rack.on(drive), intent).next()) {
          case Next.Write(var annotations, var released) -> {
            if (!annotations.isEmpty()) writing.mark(drive, annotations);
            for (var volume : released) writing.mark(volume, Map.of(Marks.RELEASE, Marks.DONE));
          }
          case Next.Person(var what, var left) -> {
            return say(session, rack, drive, NEEDS_SOMEBODY, "waits: " + what, left);
          }
          case Next.Pull _ -> {
            return say(session, rack, drive, 0, "can be pulled", List.of());
          }
          case Next.Passing _ -> {
            if (patience.over())
              return say(
                  session,
                  rack,
                  drive,
                  LATE,
                  "waits for its node: is the driver at work there?",
                  List.of());
            news.await(patience.left());
          }
        }
      }
    }

    private int say(
        AskedCluster.Asked session,
        Rack rack,
        Drive drive,
        int exitCode,
        String what,
        List<LocalVolume> left) {
      var users = new Users(session.api());
      var tool = session.home().isPresent() ? "berth" : "kubectl";
      var commands =
          left.stream()
              .flatMap(volume -> users.of(volume).stream())
              .map(owned -> session.typed(owned.command(tool)))
              .toList();
      var terminal = Terminal.standard();
      if (output.whole()) {
        var json =
            JsonNodeFactory.instance
                .objectNode()
                .put("drive", drive.shortName())
                .put("object", drive.uuid())
                .put("node", rack.node(drive))
                .put("usage", drive.observed().usage().name())
                .put("done", exitCode == 0)
                .put("message", what);
        commands.forEach(json.putArray("commands")::add);
        terminal.line(output.write(json));
      } else {
        terminal.line("drive %s of %s %s".formatted(drive.shortName(), rack.node(drive), what));
        commands.forEach(command -> terminal.line("  " + command));
      }
      return exitCode;
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
