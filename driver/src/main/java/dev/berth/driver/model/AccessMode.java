package dev.berth.driver.model;

/// Who may use a volume at the same time. Named as CSI names them.
public enum AccessMode {
  SINGLE_NODE_WRITER,
  SINGLE_NODE_READER_ONLY,
  MULTI_NODE_READER_ONLY,
  MULTI_NODE_SINGLE_WRITER,
  MULTI_NODE_MULTI_WRITER,
  /// One node, and there one path.
  SINGLE_NODE_SINGLE_WRITER,
  /// One node, and there any number of paths.
  SINGLE_NODE_MULTI_WRITER;

  public boolean readOnly() {
    return this == SINGLE_NODE_READER_ONLY || this == MULTI_NODE_READER_ONLY;
  }

  /// Whether several nodes may have the volume.
  public boolean multiNode() {
    return switch (this) {
      case MULTI_NODE_READER_ONLY, MULTI_NODE_SINGLE_WRITER, MULTI_NODE_MULTI_WRITER -> true;
      default -> false;
    };
  }

  /// Whether one node may publish the volume at several paths (NOD-13).
  public boolean severalPaths() {
    return multiNode() || this == SINGLE_NODE_MULTI_WRITER;
  }

  /// Whether only drivers that tell paths from nodes know this mode (CAP-04).
  public boolean needsSingleNodeMultiWriter() {
    return this == SINGLE_NODE_SINGLE_WRITER || this == SINGLE_NODE_MULTI_WRITER;
  }
}
