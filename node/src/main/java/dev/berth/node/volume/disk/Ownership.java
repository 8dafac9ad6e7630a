package dev.berth.node.volume.disk;

import dev.berth.linux.tree.OwnedTree;
import dev.berth.node.volume.FsGroup;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Gives all files of a volume to a group (NCSI-14), and none outside of it, whatever the pods that
/// use it swap meanwhile.
final class Ownership {
  private static final Logger log = LoggerFactory.getLogger(Ownership.class);
  private static final int READ_WRITE = 0660;
  private static final int SEARCH = 0110;
  private static final int SET_GID = 02000;

  private final FsGroup group;

  Ownership(FsGroup group) {
    this.group = group;
  }

  /// What cannot be changed is told in the log only: the volume may hold files of others.
  void give(Path root) {
    var tree = new OwnedTree(root, (int) group.gid(), READ_WRITE, READ_WRITE | SEARCH | SET_GID);
    if (group.onRootMismatch() && tree.isGiven()) return;
    tree.give(refused ->
        log.warn("a file was not given to group {}: {}", group.gid(), refused.getMessage()));
  }
}
