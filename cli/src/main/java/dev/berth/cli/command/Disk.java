package dev.berth.cli.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.cli.Problem;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.terminal.Terminal;
import dev.berth.driver.disk.fsck.PoolCheck;
import dev.berth.driver.disk.fsck.PoolCheck.CannotLookException;
import dev.berth.driver.disk.fsck.Report;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "disk",
    description = "Looks after the pools of the disk driver.",
    subcommands = Disk.Fsck.class)
final class Disk {
  @Command(
      name = "fsck",
      mixinStandardHelpOptions = true,
      description = {
        "Checks that everything in a pool belongs to something: backing files, records, snapshots,"
            + " groups, attachments, node records, loop devices and mounts. Changes nothing;"
            + " drivers may go on meanwhile.",
        "It sees the mounts and processes of where it runs: on a cluster, in the driver's"
            + " container."
      },
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {
        "0:clean; what calls that were cut off have left goes by itself",
        "1:something is wrong, and is named with its mend",
        "2:the pool cannot be looked at"
      },
      footer = {"", "Example:", "  berth disk fsck --pool /var/lib/disks"})
  static final class Fsck implements Callable<Integer> {
    private static final int CANNOT_LOOK = 2;

    @Mixin private OutputOption output = new OutputOption();

    @Option(names = "--pool", required = true, paramLabel = "DIR", description = "The pool.")
    private List<Path> pools = List.of();

    @Override
    public Integer call() throws InterruptedException {
      if (pools.size() > 1)
        throw new Problem("give one --pool; other pools are checked after it", CANNOT_LOOK);
      Report report;
      try {
        report = PoolCheck.check(pools.getFirst().toAbsolutePath());
      } catch (CannotLookException e) {
        throw new Problem(String.valueOf(e.getMessage()), CANNOT_LOOK);
      }
      var terminal = Terminal.standard();
      if (output.whole()) terminal.line(output.write(json(report)));
      else report.lines().forEach(terminal::line);
      return report.clean() ? 0 : 1;
    }

    private static ObjectNode json(Report report) {
      var json = new ObjectMapper().createObjectNode();
      json.put("pool", report.pool().toString())
          .put("id", report.poolId())
          .put("clean", report.clean())
          .put("volumes", report.volumes())
          .put("snapshots", report.snapshots())
          .put("groups", report.groups())
          .put("attachments", report.attachments())
          .put("nodes", report.nodes())
          .put("devices", report.devices())
          .put("mounts", report.mounts());
      var findings = json.putArray("findings");
      for (var finding : report.findings())
        findings
            .addObject()
            .put("weight", finding.weight().name().toLowerCase(Locale.ROOT))
            .put("where", finding.where())
            .put("what", finding.what())
            .put("mend", finding.mend());
      return json;
    }
  }

  private Disk() {}
}
