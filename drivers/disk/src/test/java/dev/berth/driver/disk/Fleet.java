package dev.berth.driver.disk;

import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.v1.NodeGetInfoRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Driver processes that can be killed: one controls the pools and serves a node, another serves a
/// second node on the same pools.
final class Fleet implements AutoCloseable {
  static final List<String> NODES = List.of("n1", "n2");

  private final DiskWorld world;
  private final List<Path> pools;
  private final Map<String, Process> processes = new HashMap<>();
  private final Map<String, CsiConnection> connections = new HashMap<>();

  Fleet(DiskWorld world, List<Path> pools) {
    this.world = world;
    this.pools = pools;
  }

  void begin() throws IOException {
    for (var node : NODES) {
      start(node);
      connections.put(node, CsiConnection.open(socket(node)));
    }
    // Before that nobody knows that it reaches both pools.
    for (var node : NODES)
      Repeated.run(
          () -> DiskWorld.node(node(node)).nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()));
  }

  private Path socket(String node) {
    return world.folder.resolve(node + ".sock");
  }

  void start(String node) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            DiskService.class.getName(),
            "--endpoint",
            "unix://" + socket(node),
            "--node",
            node,
            "--services",
            node.equals(NODES.getFirst()) ? "controller,node" : "node"));
    for (var pool : pools) command.addAll(List.of("--pool", pool.toString()));
    processes.put(
        node,
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(world.folder.resolve(node + ".log").toFile()))
            .start());
  }

  /// As `kill -9` does.
  void kill(String node) {
    var process = processes.get(node);
    if (process != null) process.destroyForcibly().onExit().join();
  }

  CsiConnection controller() {
    return node(NODES.getFirst());
  }

  /// The same one, whatever happens to the process.
  CsiConnection node(String node) {
    var connection = connections.get(node);
    if (connection == null) throw new IllegalArgumentException("no node " + node);
    return connection;
  }

  @Override
  public void close() {
    connections.values().forEach(CsiConnection::close);
    for (var node : NODES) kill(node);
  }
}
