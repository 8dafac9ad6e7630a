package dev.berth.node.runtime;

/// What the lines of a log are.
public enum LogFormat {
  /// The container's own.
  PLAIN,
  /// Time, stream and whether the line is whole, before each of the container's (CRI).
  CRI
}
