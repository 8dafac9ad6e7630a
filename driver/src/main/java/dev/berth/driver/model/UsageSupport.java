package dev.berth.driver.model;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// What the volumes of a driver can be used for.
///
/// @param mount modes for volumes with a file system; empty: this driver has none such
/// @param block modes for raw devices; empty: this driver has none such
/// @param fsTypes file systems that a caller may ask for by name, beside leaving it to the driver
/// @param mountGroup whether a caller may name the group that owns the files
public record UsageSupport(
    Set<AccessMode> mount, Set<AccessMode> block, Set<String> fsTypes, MountGroup mountGroup) {
  /// Whether the driver can hand the files of a volume to a group itself.
  public enum MountGroup {
    APPLIED,
    NOT_SUPPORTED
  }

  private static final Set<AccessMode> WRITERS =
      EnumSet.of(
          AccessMode.SINGLE_NODE_WRITER,
          AccessMode.SINGLE_NODE_SINGLE_WRITER,
          AccessMode.SINGLE_NODE_MULTI_WRITER);

  public UsageSupport {
    mount = Set.copyOf(mount);
    block = Set.copyOf(block);
    fsTypes = Set.copyOf(fsTypes);
    if (severalWriters(mount, block)) {
      checkWriters("mount", mount);
      checkWriters("block", block);
    }
  }

  /// A driver of directories that one node may write to, at any number of paths.
  public static UsageSupport mountOnOneNode() {
    return new UsageSupport(
        Set.of(
            AccessMode.SINGLE_NODE_WRITER,
            AccessMode.SINGLE_NODE_READER_ONLY,
            AccessMode.SINGLE_NODE_SINGLE_WRITER,
            AccessMode.SINGLE_NODE_MULTI_WRITER),
        Set.of(),
        Set.of(),
        MountGroup.NOT_SUPPORTED);
  }

  /// Why a volume cannot be used so; empty: it can.
  public Optional<String> objection(Usage usage) {
    return switch (usage.access()) {
      case Access.Block _ -> {
        if (block.isEmpty()) yield Optional.of("block volumes are not supported");
        yield mode(usage.mode(), block, "block");
      }
      case Access.Mount(var fsType, _, var group) -> {
        if (mount.isEmpty()) yield Optional.of("volumes with a file system are not supported");
        if (!fsType.isEmpty() && !fsTypes.isEmpty() && !fsTypes.contains(fsType))
          yield Optional.of(
              "file system %s is not supported, only %s"
                  .formatted(fsType, String.join(", ", fsTypes.stream().sorted().toList())));
        if (!group.isEmpty() && mountGroup == MountGroup.NOT_SUPPORTED)
          yield Optional.of("volume_mount_group is not supported");
        yield mode(usage.mode(), mount, "mount");
      }
    };
  }

  /// Whether capability SINGLE_NODE_MULTI_WRITER is to be advertised.
  public boolean singleNodeMultiWriter() {
    return severalWriters(mount, block);
  }

  private static boolean severalWriters(Set<AccessMode> mount, Set<AccessMode> block) {
    return mount.stream().anyMatch(AccessMode::needsSingleNodeMultiWriter)
        || block.stream().anyMatch(AccessMode::needsSingleNodeMultiWriter);
  }

  /// CAP-03, CAP-04: who advertises SINGLE_NODE_MULTI_WRITER gets the new words for every claim,
  /// and the old one from who does not know them. One of the three alone would be a claim's access
  /// mode for which no volume can be made.
  private static void checkWriters(String access, Set<AccessMode> modes) {
    if (Collections.disjoint(modes, WRITERS)) return;
    for (var mode : WRITERS)
      if (!modes.contains(mode))
        throw new IllegalArgumentException(
            "%s lacks %s: with SINGLE_NODE_MULTI_WRITER or SINGLE_NODE_SINGLE_WRITER anywhere, take all three modes of one node's writers, or none (CAP-03)"
                .formatted(access, mode));
  }

  private static Optional<String> mode(AccessMode mode, Set<AccessMode> supported, String access) {
    return supported.contains(mode)
        ? Optional.empty()
        : Optional.of("access mode %s is not supported for %s volumes".formatted(mode, access));
  }
}
