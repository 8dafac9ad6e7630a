package dev.berth.driver.disk.node;

import dev.berth.driver.model.Access;
import dev.berth.driver.model.Refusal;
import dev.berth.linux.tree.OwnedTree;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/// The group that a volume's files belong to (CAP-07). None of our file systems takes it as a mount
/// option, so it is written into them: folders hand it on to what is made in them.
///
/// @param id of the group
record MountGroup(int id) {
  private static final Pattern DIGITS = Pattern.compile("[0-9]+"); // the JDK takes others' too
  private static final int FOLDER = 02070;
  private static final int FILE = 0060;

  /// @throws Refusal INVALID if it is not the number of a group
  static Optional<MountGroup> of(Access.Mount access) {
    if (access.group().isEmpty()) return Optional.empty();
    try {
      if (DIGITS.matcher(access.group()).matches())
        return Optional.of(new MountGroup(Integer.parseInt(access.group())));
    } catch (NumberFormatException _) {
      // Told below: there are numbers beyond the largest.
    }
    throw Refusal.invalid(
        "volume_mount_group is %s; use the number of a group".formatted(access.group()));
  }

  /// Hands over all files, unless the root shows that it has been done. Who is cut off begins
  /// again.
  void own(Path root) {
    var tree = new OwnedTree(root, id, FILE, FOLDER);
    if (tree.isGiven()) return;
    tree.give(refused -> {
      throw refused;
    });
  }
}
