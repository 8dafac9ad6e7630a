package dev.berth.cli.command;

import dev.berth.cli.Problem;
import dev.berth.cli.option.OwnFlags;
import dev.berth.kube.api.ApiException;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command line as a whole: which commands there are, how errors look.
@Command(
    name = "berth",
    description = "Kubernetes' storage on one machine: claims, volumes and pods with real mounts.",
    mixinStandardHelpOptions = true,
    versionProvider = Berth.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "From a source tree also: berth test (all tests), berth format, berth build.",
      "",
      "Examples:",
      "  berth run examples/first-volume.yaml   a volume from claim to file, and its story",
      "  berth up --detach                      a stack in the background, for kubectl too",
      "  berth explain pvc/data                 why it is stuck, and what to do"
    })
public final class Berth implements Runnable {
  /// In the order in which the help lists them.
  private static final List<Class<?>> COMMANDS =
      List.of(
          Run.class,
          Up.class,
          Down.class,
          Apply.class,
          Delete.class,
          Get.class,
          Logs.class,
          Explain.class,
          Image.class,
          Driver.class,
          Sidecars.class,
          Sidecar.class,
          SnapshotController.class,
          ControllersCommand.class,
          NodeSidecarsCommand.class,
          NodeCommand.class,
          Disk.class,
          Drives.class,
          Crds.class,
          Conform.class,
          Apiserver.class,
          Backup.class,
          Restore.class,
          Train.class,
          HelpCommand.class);

  @Spec private @Nullable CommandSpec spec;

  @Option(names = "--stacktrace", hidden = true, scope = CommandLine.ScopeType.INHERIT)
  private static boolean stacktrace;

  private Berth() {}

  /// @return exit code: 0 done; 1 it failed, as one line on standard error says; 2 the command line
  ///   cannot be understood; others as the command's help says
  public static int run(String... args) {
    var line = line(args);
    line.setUsageHelpAutoWidth(true);
    line.setParameterExceptionHandler(Berth::misunderstood);
    line.setExecutionExceptionHandler(Berth::failed);
    line.getSubcommands()
        .values()
        .forEach(each ->
            each.getCommandSpec()
                .mixinStandardHelpOptions(!(each.getCommand() instanceof OwnFlags)));
    return line.execute(args);
  }

  /// Whether a command line is one of ours, without carrying it out.
  public static boolean understands(String... args) {
    try {
      line(args).parseArgs(args);
      return true;
    } catch (ParameterException wrong) {
      return false;
    }
  }

  private static CommandLine line(String... args) {
    var line = new CommandLine(new Berth());
    needed(args).forEach(line::addSubcommand);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    for (var each : line.getSubcommands().values())
      if (each.getCommand() instanceof OwnFlags)
        each.setUnmatchedOptionsArePositionalParams(true).setExpandAtFiles(false);
    return line;
  }

  /// The command that the line begins with, alone if there is one: to make them all ready takes as
  /// long as a server's whole start.
  private static List<Class<?>> needed(String... args) {
    if (args.length == 0 || args[0].equals("help")) return COMMANDS;
    var named = COMMANDS.stream().filter(each -> name(each).equals(args[0])).toList();
    return named.isEmpty() ? COMMANDS : named;
  }

  private static String name(Class<?> command) {
    var annotation = command.getAnnotation(Command.class);
    return annotation == null ? "" : annotation.name();
  }

  @Override
  public void run() {
    if (spec != null) spec.commandLine().usage(System.out);
  }

  private static int misunderstood(ParameterException wrong, String[] args) {
    var command = wrong.getCommandLine();
    error(command.getErr(), words(wrong, command));
    command.getErr().println("Try `" + command.getCommandSpec().qualifiedName() + " --help`.");
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static String words(ParameterException wrong, CommandLine command) {
    if (wrong instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()
        && !unmatched.isUnknownOption()
        && command.getParent() == null)
      return "there is no command " + unmatched.getUnmatched().getFirst();
    if (wrong instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()
        && !unmatched.isUnknownOption()
        && !command.getSubcommands().isEmpty())
      return "there is no %s %s; there are %s"
          .formatted(
              command.getCommandName(),
              unmatched.getUnmatched().getFirst(),
              String.join(", ", command.getSubcommands().keySet()));
    return String.valueOf(wrong.getMessage()).lines().findFirst().orElse("");
  }

  private static int failed(Exception failure, CommandLine command, CommandLine.ParseResult line) {
    if (stacktrace) failure.printStackTrace(command.getErr());
    LoggerFactory.getLogger(Berth.class).debug("failed", failure);
    return switch (failure) {
      case Problem problem -> {
        error(command.getErr(), String.valueOf(problem.getMessage()));
        yield problem.exitCode();
      }
      case ApiException.Unreachable _ -> {
        // Who cannot ask a stack has no use for one.
        boolean ofStack = command.getCommandSpec().optionsMap().containsKey("--home");
        var hint = ofStack ? "; is the stack up? `berth up --detach` starts one" : "";
        error(command.getErr(), failure.getMessage() + hint);
        yield 1;
      }
      case ApiException refused -> {
        error(command.getErr(), "the API server: " + refused.getMessage());
        yield 1;
      }
      case InterruptedException _ -> 130;
      default -> {
        error(command.getErr(), failure + " (please report it, with --stacktrace)");
        yield 1;
      }
    };
  }

  private static void error(PrintWriter err, String message) {
    err.println("berth: " + message);
    err.flush();
  }

  /// What the build was of.
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      var version = Berth.class.getPackage().getImplementationVersion();
      return new String[] {"berth " + (version == null ? "from source" : version)};
    }
  }
}
