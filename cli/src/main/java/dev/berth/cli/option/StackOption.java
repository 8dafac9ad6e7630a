package dev.berth.cli.option;

import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.cli.stack.StackOptions;
import dev.berth.csi.socket.SocketPath;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// How a stack is started.
public final class StackOption {
  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "How many nodes the machine plays; default: ${DEFAULT-VALUE}.")
  private int nodes = 1;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description =
          "Port of the API server on 127.0.0.1; 0: any that is free; default: ${DEFAULT-VALUE}.")
  private int port = StackOptions.DEFAULT_PORT;

  @Mixin private AuthorizationOption authorization = new AuthorizationOption();

  @Option(
      names = "--driver",
      paramLabel = "unix:///PATH",
      description =
          "Socket of a CSI driver that runs beside the stack: its sidecars run in the stack."
              + " May be given several times.")
  private List<String> drivers = new ArrayList<>();

  /// Whether anything was asked for that only a new stack can have.
  public boolean given() {
    return nodes != 1
        || port != StackOptions.DEFAULT_PORT
        || !drivers.isEmpty()
        || authorization.given();
  }

  public StackOptions options(Home home) {
    if (nodes < 1 || nodes > 100)
      throw new Problem("--nodes " + nodes + ": choose a number from 1 to 100", 2);
    if (port < 0 || port > 65535)
      throw new Problem("--port " + port + ": choose a number from 0 to 65535", 2);
    return new StackOptions(
        home, nodes, port, drivers.stream().map(this::socket).toList(), authorization.mode());
  }

  private SocketPath socket(String driver) {
    try {
      return SocketPath.ofEndpoint(driver);
    } catch (IllegalArgumentException wrong) {
      throw new Problem("--driver: " + wrong.getMessage(), 2);
    }
  }
}
