package dev.berth.example;

import dev.berth.driver.model.Refusal;
import dev.berth.driver.spi.NodePublishing;
import dev.berth.driver.spi.OnNode;
import dev.berth.linux.mount.MountEntry;
import dev.berth.linux.mount.MountFlag;
import dev.berth.linux.mount.MountOptions;
import dev.berth.linux.mount.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The node: folders of the pool, shown where pods expect them. What is shown where, the kernel
/// knows.
public class FolderNode implements OnNode, NodePublishing {
  private final String name;
  private final Folders folders;
  private final Mounts mounts;

  public FolderNode(String name, Folders folders, Mounts mounts) {
    this.name = name;
    this.folders = folders;
    this.mounts = mounts;
  }

  @Override
  public NodeInfo nodeInfo() {
    return new NodeInfo(name, 0, Optional.empty());
  }

  @Override
  public void publish(Publish publish) throws IOException {
    var options = MountOptions.parse(publish.usage().mountFlags());
    if (!options.ofFileSystem().isEmpty())
      throw Refusal.invalid("a mount flag is not one that a folder can have");
    if (publish.readOnly()) options = options.with(MountFlag.RO);

    var target = publish.target();
    var data = folders.data(publish.volumeId());
    var shown = mounts.table().bindsOf(data);
    var here = at(target, shown);
    if (here.isEmpty()) {
      if (!shown.isEmpty() && !publish.usage().mode().severalPaths())
        throw Refusal.wrongState("it is published at " + shown.getFirst().target());
      Files.createDirectories(target);
      mounts.bind(data, target, Mounts.Depth.ONE, options);
    } else if (here.get().readOnly() != options.has(MountFlag.RO)) {
      throw Refusal.existsDifferently("it is published there, read-only or not; unpublish it");
    }
  }

  @Override
  public void unpublish(String volumeId, Path target) throws IOException {
    if (folders.volume(volumeId).isPresent()
        && at(target, mounts.table().bindsOf(folders.data(volumeId))).isPresent())
      mounts.unmount(target, Mounts.Unmount.IF_UNUSED);
    if (mounts.table().at(target).isEmpty()) Files.deleteIfExists(target);
  }

  private static Optional<MountEntry> at(Path target, List<MountEntry> mounts) {
    return mounts.stream().filter(mount -> mount.target().equals(target)).findFirst();
  }
}
