package dev.berth.cli.option;

import dev.berth.cli.Problem;
import dev.berth.cli.home.Home;
import dev.berth.cli.stack.StackOptions;
import dev.berth.csi.socket.SocketPath;
import dev.berth.driver.baremetal.manager.loopback.LoopbackManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// How a stack is started.
public final class StackOption {
  private static final int MOST_NODES = 100;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description =
          "How many nodes the machine plays; default: 1, or as many as the file of --bare-metal"
              + " names.")
  private Optional<Integer> nodes = Optional.empty();

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

  @Option(
      names = "--bare-metal",
      paramLabel = "FILE",
      description =
          "Give the nodes drives that are files, as FILE says, and the driver of local drives"
              + " (docs/bare-metal.md).")
  private Optional<Path> drives = Optional.empty();

  /// Whether anything was asked for that only a new stack can have.
  public boolean given() {
    return nodes.isPresent()
        || drives.isPresent()
        || port != StackOptions.DEFAULT_PORT
        || !drivers.isEmpty()
        || authorization.given();
  }

  public StackOptions options(Home home) {
    var file = drives.map(it -> new GivenPath("--bare-metal", it, 2).file().toAbsolutePath());
    var named = file.map(StackOption::nodesOf).orElse(List.of());
    int nodes = this.nodes.orElse(Math.max(1, named.size()));
    if (nodes < 1 || nodes > MOST_NODES)
      throw new Problem("--nodes %d: choose a number from 1 to %d".formatted(nodes, MOST_NODES), 2);
    for (var name : named)
      if (!StackOptions.nodeNames(nodes).contains(name))
        throw new Problem(
            "--bare-metal %s: nodeID %s: the nodes of this stack are %s"
                .formatted(file.get(), name, String.join(", ", StackOptions.nodeNames(nodes))),
            2);
    if (port < 0 || port > 65535)
      throw new Problem("--port " + port + ": choose a number from 0 to 65535", 2);
    return new StackOptions(
        home, nodes, port, drivers.stream().map(this::socket).toList(), file, authorization.mode());
  }

  private static List<String> nodesOf(Path file) {
    try {
      return LoopbackManager.nodes(file);
    } catch (IOException wrong) {
      throw new Problem("--bare-metal " + wrong.getMessage(), 2);
    }
  }

  private SocketPath socket(String driver) {
    try {
      return SocketPath.ofEndpoint(driver);
    } catch (IllegalArgumentException wrong) {
      throw new Problem("--driver: " + wrong.getMessage(), 2);
    }
  }
}
