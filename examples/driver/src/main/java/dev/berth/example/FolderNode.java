package dev.berth.example;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import dev.berth.driver.model.Refusal;
import dev.berth.driver.spi.NodePublishing;
import dev.berth.driver.spi.OnNode;
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

    var data = folders.data(publish.volumeId());
    if (publish.isDone(places(data))) return;
    var fresh = Files.notExists(publish.target(), NOFOLLOW_LINKS); // the one above is the caller's
    if (fresh) Files.createDirectory(publish.target(), asFileAttribute(fromString("rwxr-x---")));
    try {
      mounts.bind(data, publish.target(), Mounts.Depth.ONE, options.with(MountFlag.NODEV));
    } catch (RuntimeException e) {
      if (fresh) Files.deleteIfExists(publish.target());
      throw e;
    }
  }

  private List<Place> places(Path data) {
    return mounts.table().bindsOf(data).stream()
        .map(bind -> new Place(bind.target(), Optional.empty(), bind.readOnly()))
        .toList();
  }

  @Override
  public void unpublish(String volumeId, Path target) throws IOException {
    if (folders.volume(volumeId).isPresent())
      for (var place : places(folders.data(volumeId)))
        if (place.target().equals(target)) mounts.unmount(target, Mounts.Unmount.IF_UNUSED);
    if (Files.isRegularFile(target, NOFOLLOW_LINKS))
      throw Refusal.wrongState(target + " is a file, which is not ours to remove");
    if (mounts.table().at(target).isEmpty()) Files.deleteIfExists(target);
  }
}
