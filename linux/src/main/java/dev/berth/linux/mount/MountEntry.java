package dev.berth.linux.mount;

import dev.berth.linux.file.DeviceNumber;
import java.nio.file.Path;
import java.util.List;

/// One line of mountinfo.
///
/// @param id of this mount; reused after it is gone
/// @param parent id of the mount it is on
/// @param device of the file system
/// @param root which part of the file system is mounted, as seen from the file system's own root
/// @param target where it is
/// @param options of this mount, such as `ro`, `nosuid`
/// @param propagation such as `shared:5`, `master:2`; empty: private
/// @param type of the file system
/// @param source device or name; text of whoever mounted it
/// @param superOptions of the file system, such as `rw`, `errors=remount-ro`
public record MountEntry(
    int id,
    int parent,
    DeviceNumber device,
    String root,
    Path target,
    List<String> options,
    List<String> propagation,
    String type,
    String source,
    List<String> superOptions) {
  public MountEntry {
    options = List.copyOf(options);
    propagation = List.copyOf(propagation);
    superOptions = List.copyOf(superOptions);
  }

  /// Whether nothing can be written through this mount.
  public boolean readOnly() {
    return options.contains("ro") || superOptions.contains("ro");
  }

  public boolean shared() {
    return propagation.stream().anyMatch(word -> word.startsWith("shared:"));
  }

  /// Whether both show the same part of the same file system.
  public boolean isSameAs(MountEntry other) {
    return device.equals(other.device) && root.equals(other.root);
  }
}
