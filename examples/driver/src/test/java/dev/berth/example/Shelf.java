package dev.berth.example;

import dev.berth.csi.client.ControllerCalls;
import dev.berth.csi.client.CsiConnection;
import dev.berth.csi.client.NodeCalls;
import dev.berth.driver.DriverServer;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/// A pool of its own, the example driver on it behind its socket, and nothing left at the end.
final class Shelf implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  final Path folder;
  final Path pool;
  private DriverServer server;
  private CsiConnection connection;

  Shelf() throws IOException {
    folder = Files.createTempDirectory("shelf").toRealPath();
    pool = folder.resolve("pool");
    start();
  }

  private void start() throws IOException {
    var socket = folder.resolve("csi.sock");
    server = DriverServer.start(socket, FolderDriver.of(pool, "a"));
    connection = CsiConnection.open(socket);
  }

  /// Ends the driver, lets `meanwhile` happen, and starts it again.
  void restart(Meanwhile meanwhile) throws IOException {
    stop();
    meanwhile.happens();
    start();
  }

  interface Meanwhile {
    void happens() throws IOException;
  }

  ControllerCalls controller() {
    return connection.controller(PATIENCE);
  }

  NodeCalls node() {
    return connection.node(PATIENCE);
  }

  /// What is in the pool, by name.
  List<String> shelved() throws IOException {
    try (var entries = Files.list(pool)) {
      return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
    }
  }

  private void stop() {
    connection.close();
    server.close();
  }

  @Override
  public void close() throws IOException {
    stop();
    var mounts = Mounts.ofThisMachine();
    for (var mount : mounts.table().under(folder))
      mounts.unmount(mount.target(), Mounts.Unmount.LAZY);
    if (!mounts.table().under(folder).isEmpty())
      throw new IllegalStateException("still mounted: " + mounts.table().under(folder));
    try (var files = Files.walk(folder)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
    }
  }
}
