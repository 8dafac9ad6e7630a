package dev.berth.node.runtime;

import java.nio.file.Path;

/// A device of the machine that appears in a container.
///
/// @param source device node on the machine; links are followed
/// @param target path inside the container, absolute
public record ContainerDevice(Path source, String target, Access access) {
  /// How it may be used.
  public enum Access {
    READ_WRITE,
    READ_ONLY
  }
}
