package dev.berth.cli.command;

import dev.berth.apiserver.backup.BackupException;
import dev.berth.apiserver.backup.BackupFile;
import dev.berth.apiserver.store.SqliteStore;
import dev.berth.apiserver.store.StoreException;
import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.cli.option.GivenPath;
import dev.berth.cli.option.HomeOption;
import dev.berth.cli.session.Session;
import dev.berth.cli.stack.LoneServer;
import dev.berth.cli.terminal.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "backup",
    description =
        "Writes all objects of the API server into a file, Secrets too, whether it is up or not."
            + " The file is read back before it gets its name. What is on volumes is not in it.",
    footer = {"", "Example:", "  berth backup /srv/backup/berth-$(date +%F).gz"})
final class Backup implements Callable<Integer> {
  @Mixin private HomeOption home = new HomeOption();

  @Parameters(paramLabel = "FILE", description = "Where to, readable by its owner only.")
  private String file = "";

  @Option(names = "--replace", description = "Replace FILE if it is there.")
  private boolean replace;

  @Override
  public Integer call() {
    var target = new GivenPath("FILE", Path.of(file), 2).newFile();
    if (Files.exists(target) && !replace)
      throw new Problem(target + " is there already; choose another name, or --replace");
    var draft = target.resolveSibling(target.getFileName() + ".tmp");
    try {
      return write(draft, target);
    } catch (BackupException wrong) {
      throw new Problem("the backup is not what it should be: " + wrong.getMessage());
    } catch (StoreException wrong) {
      throw new Problem(String.valueOf(wrong.getMessage()));
    } catch (IOException cannot) {
      throw new Problem("cannot write %s: %s".formatted(target, cannot.getMessage()));
    }
  }

  private int write(Path draft, Path target) throws IOException, BackupException, StoreException {
    try {
      Files.deleteIfExists(draft);
      copy(draft);
      var summary = new BackupFile(draft).check();
      Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
      sync(target.toAbsolutePath().resolveSibling(""));
      Terminal.standard()
          .line(
              "%d objects, as they were at revision %d, are in %s (%d KiB)"
                  .formatted(
                      summary.objects(),
                      summary.revision(),
                      target,
                      (Files.size(target) + 1023) / 1024));
      return 0;
    } finally {
      Files.deleteIfExists(draft);
    }
  }

  private void copy(Path draft) throws IOException, StoreException {
    var ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var how = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (var channel = FileChannel.open(draft, how, ownerOnly);
        var out = Channels.newOutputStream(channel)) {
      if (isUp()) ask(out);
      else read(home.home(), out);
      channel.force(true);
    }
  }

  private boolean isUp() throws IOException {
    return Files.exists(home.home().folder()) && home.home().running().isPresent();
  }

  private void ask(OutputStream out) throws IOException {
    try (var api = Session.open(home.home());
        var in = api.read("/berth/backup")) {
      in.transferTo(out);
    }
  }

  private static void read(Home home, OutputStream out) throws IOException, StoreException {
    if (!Files.exists(SqliteStore.file(home.store())))
      throw new Problem("there is no store in %s to back up".formatted(home.folder()));
    try (var _ = LoneServer.hold(home);
        var store = SqliteStore.open(home.store())) {
      dev.berth.apiserver.backup.Backup.write(store.load(), Instant.now(), out);
    } catch (IOException | StoreException | Problem known) {
      throw known;
    } catch (Exception e) {
      throw new IllegalStateException("a lock was not given up", e);
    }
  }

  private static void sync(Path folder) throws IOException {
    try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
