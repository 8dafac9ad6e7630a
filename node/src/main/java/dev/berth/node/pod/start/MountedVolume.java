package dev.berth.node.pod.start;

import java.nio.file.Path;
import java.util.OptionalInt;

/// A volume of a pod, ready for its containers.
///
/// @param spec what its directories are named after
/// @param path where it is on the machine
/// @param readOnly whether no container may write to it
/// @param group that the volume's files want their readers to be in
public record MountedVolume(String spec, Path path, boolean readOnly, OptionalInt group) {
  static MountedVolume local(String name, Path path, boolean readOnly) {
    return new MountedVolume(name, path, readOnly, OptionalInt.empty());
  }
}
