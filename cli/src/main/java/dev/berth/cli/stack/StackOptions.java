package dev.berth.cli.stack;

import dev.berth.apiserver.http.Mode;
import dev.berth.cli.home.Home;
import dev.berth.csi.socket.SocketPath;
import java.util.List;
import java.util.stream.IntStream;

/// How a stack is to be.
///
/// @param nodes how many node agents, at least 1
/// @param port of the API server; 0: any that is free
/// @param drivers sockets of CSI drivers that run beside the stack; need not be there yet
/// @param mode who may do what
public record StackOptions(Home home, int nodes, int port, List<SocketPath> drivers, Mode mode) {
  public static final int DEFAULT_PORT = 7443;

  public StackOptions {
    drivers = List.copyOf(drivers);
  }

  List<String> nodeNames() {
    return IntStream.rangeClosed(1, nodes).mapToObj(number -> "node-" + number).toList();
  }
}
