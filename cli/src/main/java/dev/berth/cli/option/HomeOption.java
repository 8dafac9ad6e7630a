package dev.berth.cli.option;

import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Which stack is meant.
public final class HomeOption {
  @Option(
      names = "--home",
      paramLabel = "DIR",
      description = "Folder of the stack; default: ${DEFAULT-VALUE}.")
  private String folder = Home.DEFAULT.toString();

  public Home home() {
    // An unset variable in a script must not become the current folder.
    if (folder.isBlank()) throw new Problem("--home is empty; name a folder, or leave it out", 2);
    return new Home(Path.of(folder));
  }
}
