package dev.berth.driver.baremetal;

import dev.berth.driver.baremetal.manager.DriveManager;
import dev.berth.driver.baremetal.manager.base.BaseManager;
import dev.berth.driver.baremetal.manager.base.Consent;
import dev.berth.driver.baremetal.manager.folder.FolderManager;
import dev.berth.driver.baremetal.manager.loopback.LoopbackManager;
import dev.berth.driver.baremetal.manager.zram.ZramManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/// Where the drives of a node come from (BM-51): a back end each.
public sealed interface DriveSource {
  /// The machine's own disks.
  ///
  /// @param consent which of them volumes may have
  record Machine(Consent consent) implements DriveSource {}

  /// Files on loop devices, told by a configuration file (BM-58).
  ///
  /// @param file which drives there are
  /// @param images folder for them
  record Loopback(Path file, Path images) implements DriveSource {}

  /// The files of a folder on loop devices, whatever serves them (BM-240).
  record Folder(Path folder) implements DriveSource {}

  /// Compressed memory (BM-240).
  ///
  /// @param devices such as `zram1`
  record Zram(Set<String> devices) implements DriveSource {
    public Zram {
      devices = Set.copyOf(devices);
    }
  }

  /// @param node name of the Kubernetes Node
  /// @throws IOException if what it was told makes no sense
  default DriveManager open(String node) throws IOException {
    return switch (this) {
      case Machine(var consent) -> new BaseManager(consent);
      case Loopback(var file, var images) -> new LoopbackManager(file, images, node);
      case Folder(var folder) -> new FolderManager(folder);
      case Zram(var devices) -> new ZramManager(devices);
    };
  }
}
