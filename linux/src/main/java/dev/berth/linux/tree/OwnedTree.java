package dev.berth.linux.tree;

import dev.berth.linux.file.FileStatus;
import dev.berth.linux.sys.Blocking;
import dev.berth.linux.sys.Failure;
import dev.berth.linux.sys.LinuxException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.function.Consumer;

/// A tree whose files are to belong to a group, while whoever uses the tree may swap what is in it
/// for links to elsewhere. What is changed is always the very file that was looked at, always in
/// the mount that the root is in. A link is handed over itself; what it points to stays as it is.
///
/// @param root a folder, not a link
/// @param group its number, unsigned
/// @param fileBits of the mode, which all but folders and links get besides their own
/// @param folderBits of the mode, which folders get besides their own
public record OwnedTree(Path root, int group, int fileBits, int folderBits) {
  private static final int PERMISSIONS = 07777;

  /// Folders that are held at once, of however many that lie in one another.
  private static final int MOST_OPEN = 32;

  /// Whether the root shows that all was handed over: it comes last.
  public boolean isGiven() {
    var found = FileStatus.of(root);
    return found.group() == group && (found.mode() & folderBits) == folderBits;
  }

  /// Hands over all files, depth first and the root last. Takes as long as it takes, on the
  /// caller's thread.
  ///
  /// @param refused is told of each file that cannot be handed over, and ends the walk if it
  ///   throws; a file that goes away meanwhile is no such file
  /// @throws LinuxException if the root cannot be opened, or somebody moves folders about while it
  ///   is being walked through
  public void give(Consumer<LinuxException> refused) {
    var open = new ArrayDeque<OpenFolder>(); // no recursion: somebody else says how deep it is
    var left = new ArrayDeque<OpenFolder.Left>(); // those above, the nearest first
    try {
      open.push(
          Blocking.call(
              "open " + root, Blocking.LOOK, () -> OpenFolder.of(root), OpenFolder::close));
      while (!open.isEmpty()) {
        var name = next(open.element(), refused);
        if (name.isPresent()) {
          telling(refused, () -> enter(name.get(), open));
          if (open.size() > MOST_OPEN) left.push(open.removeLast().leave());
        } else
          try (var done = open.pop()) {
            if (open.isEmpty() && !left.isEmpty()) open.push(done.above(left.pop()));
            telling(refused, () -> hand(done.file()));
          }
      }
    } finally {
      open.forEach(OpenFolder::close);
    }
  }

  private static Optional<byte[]> next(OpenFolder folder, Consumer<LinuxException> refused) {
    try {
      return folder.next();
    } catch (LinuxException e) {
      tell(refused, e);
      return Optional.empty();
    }
  }

  private void enter(byte[] name, ArrayDeque<OpenFolder> open) {
    try (var file = open.element().find(name)) {
      if (file.status().isDirectory()) open.push(OpenFolder.of(file));
      else hand(file);
    }
  }

  /// The mode comes second: a new group takes set-id bits away.
  private void hand(OpenFile file) {
    if (file.status().group() != group) file.give(group);
    var status = file.status();
    if (status.isLink()) return;
    int before = status.mode() & PERMISSIONS;
    int after = before | (status.isDirectory() ? folderBits : fileBits);
    if (after != before) file.change(after);
  }

  private static void telling(Consumer<LinuxException> refused, Runnable act) {
    try {
      act.run();
    } catch (LinuxException e) {
      tell(refused, e);
    }
  }

  /// What is gone, or is a mount, is not ours to hand over.
  private static void tell(Consumer<LinuxException> refused, LinuxException e) {
    if (!(e.failure() instanceof Failure.Missing || e.failure() instanceof Failure.Escapes))
      refused.accept(e);
  }
}
