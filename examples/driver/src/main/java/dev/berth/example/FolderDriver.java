package dev.berth.example;

import dev.berth.driver.model.UsageSupport;
import dev.berth.driver.process.DriverProcess;
import dev.berth.driver.spi.Driver;
import dev.berth.driver.spi.PluginInfo;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

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

  /// A driver of one pool.
  ///
  /// @param pool folder for the volumes, made if it is new
  public static FolderDriver of(Path pool, String node) throws IOException {
    var mounts = Mounts.ofThisMachine();
    var folders = new Folders(pool, mounts);
    return new FolderDriver(List.of(folders, new FolderNode(node, folders, mounts)));
  }

  /// Serves until SIGTERM. Arguments: `--pool DIR --node NAME` and those of every driver.
  public static void main(String[] words) {
    DriverProcess.Opening opening =
        arguments -> of(Path.of(arguments.one("--pool")), arguments.one("--node"));
    var own = Set.of("--pool", "--node");
    System.exit(DriverProcess.run("folder-driver", List.of(words), own, opening, System.err));
  }
}
