package dev.berth.node.runtime;

import dev.berth.linux.mount.Propagation;
import java.nio.file.Path;

/// A directory or file of the machine that appears in a container.
///
/// @param source on the machine; exists, and decides whether this is a directory or a file
/// @param target inside the container, absolute; made if missing
/// @param propagation PRIVATE for None, SLAVE for HostToContainer, SHARED for Bidirectional
public record ContainerMount(Path source, String target, Access access, Propagation propagation) {
  /// How it may be used.
  public enum Access {
    READ_WRITE,
    /// Mounts below the source stay writable.
    READ_ONLY,
    /// With all mounts below the source.
    READ_ONLY_TREE,
    /// The same where it can be done, else as READ_ONLY.
    READ_ONLY_TREE_IF_POSSIBLE
  }
}
