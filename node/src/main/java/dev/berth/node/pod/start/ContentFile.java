package dev.berth.node.pod.start;

import java.util.OptionalInt;

/// One file of a volume that shows an object's content. May be a secret: never shown in a text.
public final class ContentFile {
  private final String path;
  private final byte[] bytes;
  private final int mode;
  private final OptionalInt owner;

  /// @param path relative, without `..`
  /// @param mode permission bits
  public ContentFile(String path, byte[] bytes, int mode) {
    this(path, bytes, mode, OptionalInt.empty());
  }

  /// @param owner uid to whom it belongs; empty: root
  public ContentFile(String path, byte[] bytes, int mode, OptionalInt owner) {
    this.path = path;
    this.bytes = bytes.clone();
    this.mode = mode;
    this.owner = owner;
  }

  public String path() {
    return path;
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  public int mode() {
    return mode;
  }

  public OptionalInt owner() {
    return owner;
  }

  @Override
  public String toString() {
    return path;
  }
}
