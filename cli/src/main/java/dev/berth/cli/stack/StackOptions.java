package dev.berth.cli.stack;

import dev.berth.apiserver.http.Mode;
import dev.berth.cli.home.Home;
import dev.berth.csi.socket.SocketPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/// How a stack is to be.
///
/// @param nodes how many node agents, at least 1
/// @param port of the API server; 0: any that is free
/// @param drivers sockets of CSI drivers that run beside the stack; need not be there yet
/// @param drives file of the drives that its nodes have, for the bare-metal driver; empty: there is
///   no such driver
/// @param mode who may do what
public record StackOptions(
    Home home, int nodes, int port, List<SocketPath> drivers, Optional<Path> drives, Mode mode) {
  public static final int DEFAULT_PORT = 7443;

  public StackOptions {
    drivers = List.copyOf(drivers);
  }

  List<String> nodeNames() {
    return nodeNames(nodes);
  }

  /// What the nodes of a stack are called.
  public static List<String> nodeNames(int nodes) {
    return IntStream.rangeClosed(1, nodes).mapToObj(number -> "node-" + number).toList();
  }
}
