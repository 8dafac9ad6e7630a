package dev.berth.cli.command;

import dev.berth.cli.drives.Rack;
import dev.berth.cli.drives.ReviewedList;
import dev.berth.cli.drives.Told;
import dev.berth.cli.drives.Writing;
import dev.berth.cli.session.AskedCluster;
import dev.berth.cli.session.News;
import dev.berth.cli.terminal.Terminal;
import dev.berth.driver.baremetal.object.Drive;
import dev.berth.driver.baremetal.object.Marks;
import dev.berth.kube.api.Api;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description =
        "Takes everything off the drives that a list of `berth drives discover` marks, and lets"
            + " volumes have them. If one of them is not as it was, nothing is done.",
    footer = {"", "Example:", "  berth drives init drives.yaml"})
final class DrivesInit implements Callable<Integer> {
  @Mixin private AskedCluster cluster = new AskedCluster();
  @Mixin private Patience patience = new Patience();

  @Parameters(paramLabel = "FILE", description = "The list.")
  private Path file = Path.of("drives.yaml");

  @Override
  public Integer call() throws InterruptedException {
    var list = ReviewedList.read(file);
    try (var session = cluster.open();
        var news = Rack.news(session.api())) {
      var chosen = list.chosen(Rack.read(session.api()));
      if (chosen.isEmpty()) {
        Terminal.standard().line("%s marks no drive: write initialize: true".formatted(file));
        return 0;
      }
      var before = new HashMap<Drive, Integer>();
      for (var drive : chosen) before.put(drive, refusals(session.api(), drive));
      for (var drive : chosen)
        new Writing(session.api()).mark(drive, Map.of(Marks.INITIALIZE, drive.review()));
      return await(session, news, before);
    }
  }

  /// @param before how often each of them had been refused
  private int await(AskedCluster.Asked session, News news, Map<Drive, Integer> before)
      throws InterruptedException {
    var api = session.api();
    var left = new ArrayList<>(before.keySet());
    int exitCode = 0;
    while (true) {
      var rack = Rack.read(api);
      for (var drive : List.copyOf(left)) {
        var now = rack.again(drive);
        if (now.isPresent() && !now.get().word(Marks.INITIALIZE).isEmpty()) continue;
        // the node has taken the word away; that nothing is left it says a moment later
        if (now.isPresent()
            && !taken(now.get())
            && refusals(api, drive) == before.getOrDefault(drive, 0)) continue;
        left.remove(drive);
        boolean done = now.filter(DrivesInit::taken).isPresent();
        Terminal.standard()
            .line(
                "drive %s of %s %s"
                    .formatted(
                        drive.shortName(),
                        rack.node(drive),
                        done
                            ? "is initialized"
                            : session.typed(
                                "is left as it is; see berth explain drive/" + drive.uuid())));
        if (!done) exitCode = 1;
      }
      if (left.isEmpty()) return exitCode;
      if (patience.over()) {
        for (var drive : left)
          Terminal.standard()
              .line("drive %s of %s is still at it".formatted(drive.shortName(), rack.node(drive)));
        return Drives.LATE;
      }
      news.await(patience.left());
    }
  }

  private static boolean taken(Drive drive) {
    return drive.admitted() && drive.observed().clean();
  }

  private static int refusals(Api api, Drive drive) {
    return Told.times(api, drive, "DriveInitializationRefused");
  }
}
