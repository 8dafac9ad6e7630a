package dev.berth.cli.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.cli.option.AuthorizationOption;
import dev.berth.cli.option.HomeOption;
import dev.berth.cli.option.OutputOption;
import dev.berth.cli.session.Session;
import dev.berth.cli.stack.LoneServer;
import dev.berth.cli.stack.StackOptions;
import dev.berth.cli.terminal.Terminal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "apiserver",
    description =
        "Starts the API server alone, without controllers and nodes: for tests of operators, and"
            + " for controllers of your own. Needs no root. Ends on Ctrl-C or SIGTERM.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "  1:it could not start, as one line says",
      "  2:the command line cannot be understood",
      "130:Ctrl-C",
      "143:SIGTERM"
    },
    footer = {
      "",
      "Examples:",
      "  berth apiserver --home /tmp/api --port 0",
      "  KUBECONFIG=/tmp/api/kubeconfig kubectl get namespaces"
    })
final class Apiserver implements Callable<Integer> {
  @Mixin private HomeOption home = new HomeOption();
  @Mixin private AuthorizationOption authorization = new AuthorizationOption();
  @Mixin private OutputOption output = new OutputOption();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Where it listens; 0: any port that is free; default: ${DEFAULT-VALUE}.")
  private int port = StackOptions.DEFAULT_PORT;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description =
          "Numeric address on which it listens; 0.0.0.0 or :: for all; default:"
              + " ${DEFAULT-VALUE}.")
  private String bind = "127.0.0.1";

  @Override
  public Integer call() throws InterruptedException {
    long begun = System.nanoTime();
    var folder = home.home();
    try (var server = LoneServer.start(folder, address(), authorization.mode())) {
      ready(folder, server, Duration.ofNanos(System.nanoTime() - begun));
      server.awaitStop();
    }
    return 0;
  }

  private InetSocketAddress address() {
    if (port < 0 || port > 65535)
      throw new Problem("--port " + port + ": choose a number from 0 to 65535", 2);
    try {
      return new InetSocketAddress(InetAddress.ofLiteral(bind), port);
    } catch (IllegalArgumentException notNumeric) {
      throw new Problem(
          "--bind " + bind + ": write a numeric address, such as 127.0.0.1 or 0.0.0.0", 2);
    }
  }

  private void ready(Home folder, LoneServer server, Duration took) {
    var terminal = Terminal.standard();
    if (output.whole()) {
      terminal.line(
          output.write(
              JsonNodeFactory.instance
                  .objectNode()
                  .put("home", folder.folder().toString())
                  .put("kubeconfig", folder.kubeconfig().toString())
                  .put("url", server.url().toString())
                  .put("pid", ProcessHandle.current().pid())
                  .put("readyAfterMillis", took.toMillis())));
      return;
    }
    terminal.line(
        "berth apiserver is up on %s after %s".formatted(server.url(), Terminal.text(took)));
    terminal.line("  kubectl: export KUBECONFIG=" + folder.kubeconfig());
    terminal.line("  stop:    Ctrl-C, or berth down" + Session.also(folder));
  }
}
