package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.option.GivenPath;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.terminal.Terminal;
import dev.berth.conform.Conformance;
import dev.berth.conform.check.Check;
import dev.berth.conform.report.JUnitReport;
import dev.berth.conform.report.JsonReport;
import dev.berth.conform.report.Listener;
import dev.berth.conform.report.TextReport;
import dev.berth.conform.report.TextReport.Progress;
import dev.berth.conform.trial.Access;
import dev.berth.conform.trial.Settings;
import dev.berth.conform.trial.Settings.AttachLimit;
import dev.berth.conform.trial.Settings.Extras;
import dev.berth.conform.trial.Settings.Maps;
import dev.berth.conform.trial.Settings.Shape;
import dev.berth.conform.trial.Settings.Sockets;
import dev.berth.csi.socket.SocketPath;
import dev.berth.kube.value.Quantity;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "conform",
    description = {
      "Checks any CSI driver, in any language, against the specification.",
      "Makes volumes and snapshots whose names begin with berth-conform-, and takes them all back."
          + " Run it as root where the driver's mounts are seen."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every check passed, or was skipped for the reason told",
      "1:something failed, or could not be taken back",
      "2:the checks could not be made"
    },
    footer = {
      "",
      "Examples:",
      "  berth conform --endpoint unix:///run/csi.sock",
      "  berth conform --endpoint unix:///run/csi.sock --access block --junit conform.xml",
      "  berth conform --endpoint unix:///run/csi.sock --only stage,node-publish.again",
      "  berth conform --list"
    })
final class Conform implements Callable<Integer> {
  private static final int COULD_NOT_RUN = 2;

  @Mixin private OutputOption output = new OutputOption();

  @Option(names = "--endpoint", paramLabel = "unix:///PATH", description = "The driver's socket.")
  private String endpoint = "";

  @Option(
      names = "--node-endpoint",
      paramLabel = "unix:///PATH",
      description = "The socket of its Node service, if that is another one.")
  private String nodeEndpoint = "";

  @Option(names = "--list", description = "Shows the checks and makes none.")
  private boolean list;

  @Option(
      names = "--only",
      paramLabel = "ID",
      split = ",",
      description = "Only these checks, by their ids or their subjects.")
  private List<String> only = List.of();

  @Option(names = "--junit", paramLabel = "FILE", description = "Writes JUnit XML too.")
  private @Nullable Path junit;

  @Option(
      names = "--access",
      paramLabel = "TYPE",
      description = "What volumes are used as: mount or block; default: mount.")
  private Access access = Access.MOUNT;

  @Option(
      names = "--fs-type",
      paramLabel = "TYPE",
      description = "File system of mounted volumes; default: the driver's choice.")
  private String fsType = "";

  @Option(
      names = "--size",
      paramLabel = "QUANTITY",
      description = "Size of volumes; default: ${DEFAULT-VALUE}.")
  private String size = "64Mi";

  @Option(
      names = "--grow-to",
      paramLabel = "QUANTITY",
      description = "Size that volumes are expanded to; default: twice --size.")
  private String grownSize = "";

  @Option(
      names = "--parameter",
      paramLabel = "KEY=VALUE",
      description = "A parameter of CreateVolume.")
  private Map<String, String> parameters = Map.of();

  @Option(
      names = "--snapshot-parameter",
      paramLabel = "KEY=VALUE",
      description = "A parameter of CreateSnapshot.")
  private Map<String, String> snapshotParameters = Map.of();

  @Option(
      names = "--mutable-parameter",
      paramLabel = "KEY=VALUE",
      description = "A parameter that ControllerModifyVolume takes.")
  private Map<String, String> mutableParameters = Map.of();

  @Option(
      names = "--secrets",
      paramLabel = "FILE",
      description = "Lines of KEY=VALUE, sent with every call that takes secrets.")
  private @Nullable Path secrets;

  @Option(
      names = "--other-node",
      paramLabel = "ID",
      description = "The id of a second node, for checks that need one.")
  private @Nullable String otherNode;

  @Option(
      names = "--log",
      paramLabel = "FILE",
      description = "The driver's log, to be looked through for secrets.")
  private @Nullable Path log;

  @Option(
      names = "--attach-limit",
      description = "Publishes volumes until the limit of the node is reached.")
  private boolean attachLimit;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where folders for staging and publishing are made; default: ${DEFAULT-VALUE}.")
  private Path folder = Path.of(System.getProperty("java.io.tmpdir"));

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long one call may take; default: ${DEFAULT-VALUE}.")
  private int timeout = 60;

  @Override
  public Integer call() {
    var terminal = Terminal.standard();
    try {
      var checks = Conformance.checks(only);
      if (list) {
        show(terminal, checks);
        return 0;
      }
      var report = new Conformance(settings(), listener(terminal)).run(checks);
      if (junit != null) JUnitReport.write(report, junit);
      if (output.whole()) terminal.line(output.write(JsonReport.of(report)));
      return report.allWell() ? 0 : 1;
    } catch (IOException | IllegalArgumentException e) {
      throw new Problem(String.valueOf(e.getMessage()), COULD_NOT_RUN);
    }
  }

  private void show(Terminal terminal, List<Check> checks) {
    if (output.whole()) terminal.line(output.write(JsonReport.of(checks)));
    else
      terminal.table(
          checks.stream().map(check -> List.of(check.id(), check.title(), check.rule())).toList());
  }

  private Listener listener(Terminal terminal) {
    if (output.whole()) return new Listener() {};
    return new TextReport(
        System.out,
        (tone, words) ->
            terminal.in(
                switch (tone) {
                  case GOOD -> Terminal.Tone.GOOD;
                  case BAD -> Terminal.Tone.BAD;
                  case FAINT -> Terminal.Tone.FAINT;
                },
                words),
        Terminal.person() ? Progress.SHOWN : Progress.NOT_SHOWN);
  }

  private Settings settings() {
    if (endpoint.isEmpty())
      throw new Problem("--endpoint is missing; give the driver's socket", COULD_NOT_RUN);
    var socket = SocketPath.ofEndpoint(endpoint).path();
    var node = nodeEndpoint.isEmpty() ? socket : SocketPath.ofEndpoint(nodeEndpoint).path();
    if (timeout < 1)
      throw new Problem("--timeout %d: give at least 1 second".formatted(timeout), COULD_NOT_RUN);
    long bytes = Quantity.parse(size).toLong();
    long grown = grownSize.isEmpty() ? 2 * bytes : Quantity.parse(grownSize).toLong();
    if (junit != null) given("--junit", junit).newFile(); // hours later is too late to tell
    return new Settings(
        new Sockets(socket, node),
        given("--folder", folder).folder(),
        new Shape(access, fsType, bytes, grown),
        new Maps(
            parameters,
            snapshotParameters,
            mutableParameters,
            secrets == null ? Map.of() : given("--secrets", secrets).pairs()),
        new Extras(
            Optional.ofNullable(otherNode),
            Optional.ofNullable(log).map(it -> given("--log", it).file()),
            attachLimit ? AttachLimit.REACHED : AttachLimit.LEFT_ALONE),
        Duration.ofSeconds(timeout));
  }

  private static GivenPath given(String option, Path path) {
    return new GivenPath(option, path, COULD_NOT_RUN);
  }
}
