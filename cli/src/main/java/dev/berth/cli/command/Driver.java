package dev.berth.cli.command;

import dev.berth.driver.disk.DiskService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

@Command(
    name = "driver",
    description = "Serves one CSI driver alone, for any container orchestrator or test suite.",
    subcommands = Driver.Disk.class,
    footer = {
      "",
      "Example:",
      "  berth driver disk --endpoint unix:///run/disk.sock --node a --pool /var/lib/disks"
    })
final class Driver {
  /// Its arguments are the driver's own: it has a `--help` that says them.
  @Command(
      name = "disk",
      description = "File-backed disks; `berth driver disk --help` has its options.")
  static final class Disk implements Callable<Integer> {
    @Unmatched private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
      return DiskService.run(arguments, System.out, System.err);
    }
  }
}
