package dev.berth.cli.command;

import dev.berth.apiserver.backup.BackupException;
import dev.berth.apiserver.backup.BackupFile;
import dev.berth.apiserver.store.StoreException;
import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.cli.option.GivenPath;
import dev.berth.cli.option.HomeOption;
import dev.berth.cli.session.Session;
import dev.berth.cli.stack.LoneServer;
import dev.berth.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "restore",
    description =
        "Makes the API server's store of a backup, where no stack is up. Clients that watched the"
            + " old one list again.",
    footer = {
      "",
      "Examples:",
      "  berth restore /srv/backup/berth-2026-11-22.gz --home /var/lib/berth2",
      "  berth down && berth restore --replace /srv/backup/berth-2026-11-22.gz"
    })
final class Restore implements Callable<Integer> {
  @Mixin private HomeOption home = new HomeOption();

  @Parameters(paramLabel = "FILE", description = "Of berth backup.")
  private String file = "";

  @Option(names = "--replace", description = "Replace the store that is there; it is kept beside.")
  private boolean replace;

  @Override
  public Integer call() {
    var target = home.home();
    var backup = new BackupFile(new GivenPath("FILE", Path.of(file), 2).file());
    try {
      backup.check(); // before a home is made
      restore(target, backup);
      return 0;
    } catch (BackupException | StoreException wrong) {
      throw new Problem(String.valueOf(wrong.getMessage()));
    } catch (IOException cannot) {
      throw new Problem(
          "cannot restore into %s: %s".formatted(target.folder(), cannot.getMessage()));
    }
  }

  private void restore(Home target, BackupFile backup)
      throws IOException, BackupException, StoreException {
    try (var _ = LoneServer.hold(target)) {
      if (target.hasLeftovers())
        throw new Problem(
            "a stack was killed in %s; end what it left first: berth down%s"
                .formatted(target.folder(), Session.also(target)));
      tell(target, run(target, backup));
    } catch (IOException | BackupException | StoreException | Problem known) {
      throw known;
    } catch (Exception e) {
      throw new IllegalStateException("a lock was not given up", e);
    }
  }

  private dev.berth.apiserver.backup.Restore.Result run(Home target, BackupFile backup)
      throws BackupException, StoreException {
    var restore = new dev.berth.apiserver.backup.Restore(backup, target.store(), Instant.now());
    if (restore.replaces() && !replace)
      throw new Problem(
          "%s has a store already; choose another --home, or --replace".formatted(target.folder()));
    return restore.run();
  }

  private static void tell(Home target, dev.berth.apiserver.backup.Restore.Result result) {
    var terminal = Terminal.standard();
    terminal.line(
        "%d objects are restored in %s; it goes on from revision %d"
            .formatted(result.objects(), target.folder(), result.revision()));
    result.replaced().ifPresent(kept -> terminal.line("  the store before: " + kept));
  }
}
