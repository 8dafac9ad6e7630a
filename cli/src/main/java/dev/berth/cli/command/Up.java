package dev.berth.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.cli.home.Home;
import dev.berth.cli.option.HomeOption;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.option.StackOption;
import dev.berth.cli.session.Session;
import dev.berth.cli.stack.Background;
import dev.berth.cli.stack.Stack;
import dev.berth.cli.stack.StackOptions;
import dev.berth.cli.terminal.Terminal;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "up",
    description =
        "Starts a one-machine stack: API server, controllers, sidecars, the disk driver, node"
            + " agents. Ends on Ctrl-C.",
    footer = {
      "",
      "Examples:",
      "  berth up --detach",
      "  berth up --bare-metal examples/drives.yaml",
      "  KUBECONFIG=/var/lib/berth/kubeconfig kubectl get nodes"
    })
final class Up implements Callable<Integer> {
  private static final long LITTLE = 64L << 20;

  @Mixin private HomeOption home = new HomeOption();
  @Mixin private StackOption stack = new StackOption();
  @Mixin private OutputOption output = new OutputOption();

  @Option(names = "--detach", description = "Return when the API and all nodes are ready.")
  private boolean detach;

  /// Set for the process that `--detach` starts: say one word when ready, then nothing more.
  @Option(names = "--in-background", hidden = true)
  private boolean inBackground;

  @Override
  public Integer call() throws InterruptedException {
    long begun = System.nanoTime();
    var options = stack.options(home.home());
    if (detach) return detached(options, begun);
    try (var stack = Stack.start(options)) {
      stack.troubles().forEach(trouble -> System.err.println("berth: " + trouble));
      if (inBackground) Background.sayReady();
      else ready(options, begun, ProcessHandle.current().pid());
      stack.awaitStop();
    }
    return 0;
  }

  private int detached(StackOptions options, long begun) throws InterruptedException {
    var background = Background.start(options);
    if (background.exitCode().isPresent()) return background.exitCode().getAsInt();
    ready(options, begun, background.pid());
    return 0;
  }

  private void ready(StackOptions options, long begun, long pid) {
    var took = Duration.ofNanos(System.nanoTime() - begun);
    var terminal = Terminal.standard();
    if (output.whole()) {
      terminal.line(
          output.write(
              JsonNodeFactory.instance
                  .objectNode()
                  .put("home", options.home().folder().toString())
                  .put("kubeconfig", options.home().kubeconfig().toString())
                  .put("pid", pid)
                  .put("nodes", options.nodes())
                  .put("readyAfterMillis", took.toMillis())));
      return;
    }
    terminal.line("berth is up in " + options.home().folder() + " after " + Terminal.text(took));
    terminal.line("  kubectl: export KUBECONFIG=" + options.home().kubeconfig());
    terminal.line("  stop:    berth down" + Session.also(options.home()));
    warnOfFullDisk(options.home());
    int before = options.home().nodesBefore();
    if (before > options.nodes())
      terminal.line(
          "  an earlier stack here had %d nodes; what is on the others waits for: berth up --nodes %d%s"
              .formatted(before, before, Session.also(options.home())));
    if (options.drives().isEmpty())
      options
          .home()
          .drives()
          .file()
          .ifPresent(file ->
              terminal.line(
                  "  an earlier stack here had drives; volumes on them wait for: berth up --bare-metal %s%s"
                      .formatted(file, Session.also(options.home()))));
  }

  private static void warnOfFullDisk(Home home) {
    try {
      long free = home.reserve().free();
      if (free < LITTLE)
        Terminal.standard()
            .line(
                "  the disk under %s is nearly full: %d MiB left; delete what can go: berth get pod,pvc -A%s"
                    .formatted(home.folder(), free >> 20, Session.also(home)));
    } catch (IOException unreadable) {
      // then it is not known to be full
    }
  }
}
