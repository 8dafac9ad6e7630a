package dev.berth.linux.mount;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// Directories seen as one.
///
/// @param lower what is only read, the topmost first; at least one, two without `writable`
/// @param writable where changes go; empty: the whole is read-only
public record Overlay(List<Path> lower, Optional<Writable> writable) {
  /// The layer that takes changes.
  ///
  /// @param upper where they end up; on a file system with extended attributes, not on an overlay
  /// @param work empty directory on the same file system as `upper`
  public record Writable(Path upper, Path work) {}

  public Overlay {
    lower = List.copyOf(lower);
    if (lower.isEmpty()) throw new IllegalArgumentException("an overlay needs a lower directory");
  }

  public static Overlay over(Path lower, Path upper, Path work) {
    return new Overlay(List.of(lower), Optional.of(new Writable(upper, work)));
  }

  MountOptions options() {
    var below = lower.stream().map(Overlay::escapedInList).collect(Collectors.joining(":"));
    var options = MountOptions.NONE.with("lowerdir=" + below);
    if (writable.isEmpty()) return options;
    return options
        .with("upperdir=" + escaped(writable.get().upper()))
        .with("workdir=" + escaped(writable.get().work()));
  }

  private static String escapedInList(Path path) {
    return escaped(path).replace(":", "\\:");
  }

  private static String escaped(Path path) {
    return path.toString().replace("\\", "\\\\").replace(",", "\\,");
  }
}
