package dev.berth.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.cli.drives.Rack;
import dev.berth.cli.drives.Replacing;
import dev.berth.cli.drives.Replacing.Next;
import dev.berth.cli.drives.Users;
import dev.berth.cli.drives.Writing;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.session.AskedCluster;
import dev.berth.cli.session.News;
import dev.berth.cli.terminal.Terminal;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.LocalVolume;
import dev.berth.driver.baremetal.object.Marks;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
final class DrivesReplace implements Callable<Integer> {
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
      try (var news = Rack.news(session.api())) {
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
          return say(session, rack, drive, Drives.NEEDS_SOMEBODY, "waits: " + what, left);
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
                Drives.LATE,
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
