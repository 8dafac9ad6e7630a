package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.drives.Rack;
import dev.berth.cli.drives.ReviewedList;
import dev.berth.cli.session.AskedCluster;
import dev.berth.cli.terminal.Terminal;
import dev.berth.driver.baremetal.object.Drive;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "discover",
    mixinStandardHelpOptions = true,
    description =
        "Writes down which drives no volume gets before you say so, as they hold something or"
            + " nobody has said it yet, for you to read:"
            + " what may go is marked there, and `berth drives init` takes it. Changes nothing.",
    footer = {
      "",
      "Examples:",
      "  berth drives discover drives.yaml",
      "  berth drives discover drives.yaml --node worker-1"
    })
final class DrivesDiscover implements Callable<Integer> {
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
          ReviewedList.text(rack, session.typed("berth drives init " + file), wanted),
          StandardOpenOption.CREATE_NEW,
          StandardOpenOption.WRITE);
      Terminal.standard()
          .line(
              "%s: %d drives wait for your word; mark what may go, then: %s"
                  .formatted(file, found, session.typed("berth drives init " + file)));
      return 0;
    } catch (FileAlreadyExistsException there) {
      throw new Problem(file + " is there already; name a new file");
    } catch (IOException cannot) {
      throw new Problem("%s cannot be written: %s".formatted(file, cannot));
    }
  }
}
