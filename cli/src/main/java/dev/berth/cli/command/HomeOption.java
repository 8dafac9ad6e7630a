package dev.berth.cli.command;

import dev.berth.cli.home.Home;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Which stack is meant.
final class HomeOption {
  @Option(
      names = "--home",
      paramLabel = "DIR",
      description = "Folder of the stack; default: ${DEFAULT-VALUE}.")
  private Path folder = Home.DEFAULT;

  Home home() {
    return new Home(folder);
  }
}
