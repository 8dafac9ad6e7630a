package dev.berth.example;

import dev.berth.csi.socket.SocketPath;
import dev.berth.driver.DriverServer;
import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.PluginInfo;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The driver: who it is, and the parts of which it consists.
public record FolderDriver(List<?> parts) implements Driver {
  @Override
  public PluginInfo info() {
    return new PluginInfo("folder.example.com", "1.0.0");
  }

  @Override
  public UsageSupport usages() {
    return UsageSupport.mountOnOneNode();
  }

  /// @param pool folder for the volumes, made if it is new
  public static FolderDriver of(Path pool, String node) throws IOException {
    var mounts = Mounts.ofThisMachine();
    var folders = new Folders(pool, mounts);
    return new FolderDriver(List.of(folders, new FolderNode(node, folders, mounts)));
  }

  /// Serves until SIGTERM. Arguments: the endpoint, the pool, and the name of this node.
  public static void main(String[] args) throws IOException, InterruptedException {
    var driver = FolderDriver.of(Path.of(args[1]), args[2]);
    var server = DriverServer.start(SocketPath.ofEndpoint(args[0]).path(), driver);
    Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    server.join();
  }
}
